import type { Stage, ToolCall } from "./stage.ts";

/** What a tool is about to do. */
export interface ToolUse {
  readonly kind: "command" | "edit";
  readonly call: ToolCall;
  readonly tool: string;
  readonly input: object;
  /** What an edit would change. */
  readonly diff?: string;
}

export interface Decision {
  readonly allowed: boolean;
  readonly because: string;
}

/**
 * `bypass` allows without asking, `acceptEdits` does so for edits, `plan` is read-only and denies without asking. What is
 * left is asked, unless the same use of the same tool was allowed for always.
 */
export async function decideUse(stage: Stage, use: ToolUse): Promise<Decision> {
  const { permissionMode, memory } = stage.session;
  if (permissionMode === "bypass") return { allowed: true, because: "nothing needs permission in bypass mode." };
  if (permissionMode === "plan") return { allowed: false, because: "plan mode is read-only." };
  if (permissionMode === "acceptEdits" && use.kind === "edit") {
    return { allowed: true, because: "edits need no permission in acceptEdits mode." };
  }
  const key = useKey(use);
  if (memory.isAllowed(key)) {
    stage.tellRemembered(use);
    return { allowed: true, because: `you always allow this ${use.kind}.` };
  }
  const { reply, reason } = await stage.askPermission(use);
  if (reply === "always") memory.allow(key);
  if (reply === "reject" && reason !== undefined) return { allowed: false, because: `you rejected it: ${reason}` };
  return replies[reply];
}

const replies = {
  once: { allowed: true, because: "you allowed it this once." },
  always: { allowed: true, because: "you allowed it, now and always." },
  reject: { allowed: false, because: "you rejected it." },
} as const satisfies Record<string, Decision>;

/** `always` covers exactly this: the same tool with the same input. */
function useKey({ tool, input }: ToolUse): string {
  return JSON.stringify([tool, input]);
}
