import { decideUse } from "../decide-use.ts";
import type { Scenario } from "../scenario.ts";
import { greetingChange, greetingDiff } from "./greeting-change.ts";

/** Wants to change a file and asks first, with the change to look at. */
export const edit: Scenario = async (stage) => {
  const { name: tool, input, outcome } = greetingChange;
  const call = stage.startTool(tool, input);
  const { allowed, because } = await decideUse(stage, { kind: "edit", call, tool, input, diff: greetingDiff });
  stage.finishTool(call, allowed ? outcome : { output: `Not changed: ${because}`, failed: true });
  await stage.say(allowed ? `I changed the greeting: ${because}` : `I left the greeting alone: ${because}`);
  return undefined;
};
