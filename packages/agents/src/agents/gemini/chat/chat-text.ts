import type { ChatMessage } from "./chat-record.ts";

export interface ChatHead {
  readonly sessionId: string;
  /** RFC 3339, in UTC. */
  readonly time: string;
}

/** The program wants one to be there, and uses it for nothing when it goes on with a conversation. */
const PROJECT_HASH = "0".repeat(64);

/** A conversation as a file that the program goes on with. Pure. */
export function chatText({ sessionId, time }: ChatHead, messages: readonly ChatMessage[]): string {
  const head = { sessionId, projectHash: PROJECT_HASH, startTime: time, lastUpdated: time, kind: "main" };
  return [head, ...messages].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/**
 * The name to keep it under. The program names its own files by the minute, and writes over one of that name when it takes
 * the conversation up again; ours has the second too, so it is never the same. Pure.
 */
export function chatFileName({ sessionId, time }: ChatHead): string {
  const second = time.slice(0, 19).replaceAll(":", "-");
  return `session-${second}-${sessionId.slice(0, 8)}.jsonl`;
}
