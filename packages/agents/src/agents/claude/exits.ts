import { type EventDraft, SandboxError, type UniversalItem } from "@sandbox-agent/protocol";
import type { ProcessExit } from "../../process/agent-process.ts";

const LONGEST_REASON = 500;

/** Why the turn is lost with its process. */
export function exitError(exit: ProcessExit, sessionId: string): SandboxError {
  const { exitCode, signal, stderr } = exit;
  const how = exit.spawnError?.message ?? (signal ? `it got ${signal}` : `exit code ${exitCode}`);
  const said = lastWords(exit);
  return new SandboxError(
    "agent_process_exited",
    `Claude Code ended in the middle of a turn (${how}${said === "" ? "" : `: ${said}`}). Send the message again to go on.`,
    { agent: "claude", sessionId, details: { exitCode, signal, stderr }, cause: exit.spawnError ?? exit.outputError },
  );
}

export function isLostConversation({ stderr }: ProcessExit): boolean {
  return `${stderr.head ?? ""}${stderr.tail ?? ""}`.includes("No conversation found with session ID");
}

export function lostConversation(itemId: string, conversationId: string): EventDraft[] {
  const detail = `Claude Code has no conversation ${conversationId} on this machine any more; it begins without memory.`;
  const item: UniversalItem = {
    item_id: itemId,
    kind: "status",
    role: "system",
    status: "completed",
    content: [{ type: "status", label: "Conversation lost", detail }],
  };
  const from = { source: "daemon", synthetic: true } as const;
  return [
    { type: "item.started", data: { item: { ...item, status: "in_progress" } }, ...from },
    { type: "item.completed", data: { item }, ...from },
  ];
}

export function leftOut({ bytes, head }: { bytes: number; head: string }): EventDraft {
  const message = `Claude Code printed a line of ${bytes} bytes, more than is allowed; it was left out.`;
  const data = { message, code: "stream_error", details: { bytes, head } };
  return { type: "error", data, source: "daemon", synthetic: true };
}

function lastWords({ stderr }: ProcessExit): string {
  const text = (stderr.tail ?? stderr.head ?? "").trim();
  return text.slice(-LONGEST_REASON).replaceAll(/\s+/g, " ");
}
