import type { Scenario } from "../scenario.ts";

/** The agent takes its leave for good. */
export const end: Scenario = async (stage) => {
  await stage.say("Goodbye.");
  return { reason: "completed", sessionEnded: { reason: "completed", terminated_by: "agent" } };
};
