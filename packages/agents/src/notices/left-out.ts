import type { EventDraft } from "@sandbox-agent-ts/protocol";

/** A line that is longer than any that is kept in memory. */
export function leftOut(agentName: string, { bytes, head }: { bytes: number; head: string }): EventDraft {
  const message = `${agentName} printed a line of ${bytes} bytes, more than is allowed; it was left out.`;
  const data = { message, code: "stream_error", details: { bytes, head } };
  return { type: "error", data, source: "daemon", synthetic: true };
}
