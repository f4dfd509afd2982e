import { type Decision, decideUse } from "../decide-use.ts";
import type { Scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";

const tool = "Bash";

/** Wants to run a command and asks first. */
export const permission: Scenario = async (stage) => {
  const { allowed, because } = await pretendToRun(stage, "rm -r build", "Removed build.");
  await stage.say(allowed ? `I removed the build folder: ${because}` : `I left the build folder alone: ${because}`);
  return undefined;
};

/** `run X`: the same with the command X, or with what stands between backticks in it; `echo` is all it can do. */
export const run: Scenario = async (stage, { message }) => {
  const asked = /^\s*run\s+(.+?)\s*$/is.exec(message)?.[1] ?? "";
  const command = /`([^`]+)`/.exec(asked)?.[1] ?? asked;
  const output = /^echo\s+(.+)$/is.exec(command)?.[1] ?? "(the mock runs nothing)";
  const { allowed, because } = await pretendToRun(stage, command, output);
  await stage.say(allowed ? `It printed: ${output}` : `I did not run it: ${because}`);
  return undefined;
};

async function pretendToRun(stage: Stage, command: string, result: string): Promise<Decision> {
  const input = { command };
  const call = stage.startTool(tool, input);
  const decision = await decideUse(stage, { kind: "command", call, tool, input });
  const { allowed, because } = decision;
  stage.finishTool(call, { output: allowed ? result : `Not run: ${because}`, failed: !allowed });
  return decision;
}
