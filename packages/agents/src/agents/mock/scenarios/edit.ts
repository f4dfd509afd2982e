import { decideUse } from "../decide-use.ts";
import type { Scenario } from "../scenario.ts";
import { greetingChange, greetingDiff, greetingPath } from "./greeting-change.ts";

/** Wants to change a file and asks first, with the change to look at. */
export const edit: Scenario = async (stage) => {
  const { name: tool, input, outcome } = greetingChange;
  const call = stage.startTool(tool, input);
  const action = `Change the file ${greetingPath}`;
  const { allowed, because } = await decideUse(stage, { kind: "edit", tool, input, action, diff: greetingDiff });
  stage.finishTool(call, allowed ? outcome : { output: `Not changed: ${because}`, failed: true });
  await stage.say(allowed ? `I changed the greeting: ${because}` : `I left the greeting alone: ${because}`);
  return undefined;
};
