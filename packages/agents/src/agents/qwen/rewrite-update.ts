import type { AcpContent, AcpToolContent, AcpUpdate } from "../../acp/dialect.ts";

/** What a command's result looks like to its model, which is what we are shown. */
const commandResult = /^Command: .*\nExit Code: (.+)\nSignal: (.+?)(?:\n|$)/s;

/** Of a subagent's tools it tells beside the call whose they are; of what a subagent says it does not. */
export function rewriteUpdate(update: AcpUpdate): readonly AcpUpdate[] {
  const { parentToolCallId } = (update._meta ?? {}) as { parentToolCallId?: unknown };
  const told = withTrueStatus(update);
  return [typeof parentToolCallId === "string" ? { ...told, parentToolCallId } : told];
}

/** A command that failed is told as completed; only its text has the exit code, which is 0 when a signal killed it. */
function withTrueStatus(update: AcpUpdate): AcpUpdate {
  const { sessionUpdate, status, content } = update;
  if (sessionUpdate !== "tool_call_update" || status !== "completed" || !Array.isArray(content)) return update;
  const [, exitCode = "0", signal = "0"] = commandResult.exec(textOf(content)) ?? [];
  const isFine = exitCode === "0" && (signal === "0" || signal === "(none)");
  return isFine ? update : { ...update, status: "failed" };
}

function textOf(content: readonly AcpToolContent[]): string {
  return content.map((part) => (part.content as AcpContent | undefined)?.text ?? "").join("");
}
