import type { Scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";

const tool = "Bash";
const input = { command: "rm -r build" };

type Decision = { allowed: boolean; because: string };

/** Wants to run a command and asks first. */
export const permission: Scenario = async (stage) => {
  const call = stage.startTool(tool, input);
  const { allowed, because } = await decide(stage);
  const output = allowed ? "Removed build." : `Not run: ${because}`;
  stage.finishTool(call, { output, failed: !allowed });
  await stage.say(allowed ? `I removed the build folder: ${because}` : `I left the build folder alone: ${because}`);
  return undefined;
};

/**
 * `bypass` allows without asking, `plan` is read-only and denies without asking, the other two ask (the command is no
 * edit, so `acceptEdits` does not cover it) unless the same use of the same tool was allowed for always.
 */
async function decide(stage: Stage): Promise<Decision> {
  const { permissionMode, allowedAlways } = stage.session;
  if (permissionMode === "bypass") return { allowed: true, because: "nothing needs permission in bypass mode." };
  if (permissionMode === "plan") return { allowed: false, because: "plan mode is read-only." };
  const key = toolUseKey(tool, input);
  if (allowedAlways.has(key)) return { allowed: true, because: "you always allow this command." };

  const reply = await stage.askPermission(`Run the command ${input.command}`, { tool, input });
  if (reply === "always") allowedAlways.add(key);
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
