import type { Scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";

const tool = "Bash";

interface Input {
  readonly command: string;
}

type Decision = { allowed: boolean; because: string };

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
  const decision = await decide(stage, input);
  const { allowed, because } = decision;
  stage.finishTool(call, { output: allowed ? result : `Not run: ${because}`, failed: !allowed });
  return decision;
}

/**
 * `bypass` allows without asking, `plan` is read-only and denies without asking, the other two ask (the command is no
 * edit, so `acceptEdits` does not cover it) unless the same use of the same tool was allowed for always.
 */
async function decide(stage: Stage, input: Input): Promise<Decision> {
  const { permissionMode, allowedAlways } = stage.session;
  if (permissionMode === "bypass") return { allowed: true, because: "nothing needs permission in bypass mode." };
  if (permissionMode === "plan") return { allowed: false, because: "plan mode is read-only." };
  const key = toolUseKey(tool, input);
  if (allowedAlways.has(key)) return { allowed: true, because: "you always allow this command." };

  const reply = await stage.askPermission(`Run the command ${input.command}`, { tool, input });
  if (reply === "always") {
    allowedAlways.add(key);
    stage.session.remember();
  }
  return replies[reply];
}

const replies = {
  once: { allowed: true, because: "you allowed it this once." },
  always: { allowed: true, because: "you allowed it, now and always." },
  reject: { allowed: false, because: "you rejected it." },
} as const satisfies Record<string, Decision>;

/** `always` covers exactly this: the same tool with the same input. */
function toolUseKey(name: string, use: object): string {
  return JSON.stringify([name, use]);
}
