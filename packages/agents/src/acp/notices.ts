import type { EventDraft } from "@sandbox-agent/protocol";
import { leftOut as lineLeftOut } from "../notices/left-out.ts";
import { lostConversation as conversationLost } from "../notices/lost-conversation.ts";
import type { AcpAgent } from "./acp-agent.ts";

/** The agent begins without memory. */
export function lostConversation({ displayName }: AcpAgent, itemId: string, nativeId: string): EventDraft[] {
  return conversationLost(displayName, itemId, nativeId);
}

export function leftOut({ displayName }: AcpAgent, line: { bytes: number; head: string }): EventDraft {
  return lineLeftOut(displayName, line);
}
