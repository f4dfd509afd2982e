import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { statusNotice } from "./status-notice.ts";

/** The agent does not have the conversation it was to go on with: the turn goes on in a new one. */
export function lostConversation(agentName: string, itemId: string, nativeId: string): EventDraft[] {
  const detail =
    `${agentName} cannot go on with the conversation ${nativeId}; it begins without memory. ` +
    "What was said before has to be said again.";
  return statusNotice(itemId, ["Conversation lost", detail]);
}
