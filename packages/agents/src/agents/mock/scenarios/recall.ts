import type { Scenario } from "../scenario.ts";

/** What the person said before this message, also before the daemon was started again. */
export const recall: Scenario = async (stage) => {
  const before = stage.session.memory.said.slice(0, -1);
  const lines = before.map((message) => `- ${message}\n`);
  await stage.say(before.length === 0 ? "You said nothing before." : `Before this you said:\n\n${lines.join("")}`);
  return undefined;
};
