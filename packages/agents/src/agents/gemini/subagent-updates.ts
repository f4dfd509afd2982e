import type { AcpUpdate } from "../../acp/dialect.ts";
import type { ChatMessage } from "./chat/chat-record.ts";
import { type ChatStep, chatSteps } from "./chat/chat-steps.ts";
import { recordedView } from "./recorded-view.ts";

/** Where `completeCall` puts what a subagent did: the protocol tells nothing of it. */
const KEY = "sandbox-agent/subagent";

/** Pure. */
export function withSubagent(update: AcpUpdate, messages: readonly ChatMessage[]): AcpUpdate {
  return { ...update, _meta: { ...update._meta, [KEY]: messages } };
}

/** What the subagent did, as if the protocol had told it. Pure. */
export function subagentUpdates({ _meta, toolCallId }: AcpUpdate): AcpUpdate[] {
  const messages = _meta?.[KEY] as readonly ChatMessage[] | undefined;
  if (!messages || toolCallId === undefined) return [];
  return chatSteps(messages).flatMap((step) => updatesOf(step, toolCallId));
}

function updatesOf(step: ChatStep, parentToolCallId: string): AcpUpdate[] {
  switch (step.type) {
    case "thought":
      return [{ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: step.text }, parentToolCallId }];
    case "text":
      return [{ sessionUpdate: "agent_message_chunk", content: { type: "text", text: step.text }, parentToolCallId }];
    case "call":
      return [{ sessionUpdate: "tool_call", toolCallId: step.call.id, ...recordedView(step.call), parentToolCallId }];
    default:
      // What the main conversation asked of it stands in the call.
      return [];
  }
}
