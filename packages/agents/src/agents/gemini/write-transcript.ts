import type { UniversalEvent, UniversalItem } from "@sandbox-agent-ts/protocol";
import { inputOf, takenName } from "../../transcripts/foreign-call.ts";
import type { TranscriptAbout, TranscriptFile } from "../../transcripts/transcript-dialect.ts";
import type { ChatMessage, ChatToolCall } from "./chat/chat-record.ts";
import { chatFileName, chatText } from "./chat/chat-text.ts";

const UNANSWERED = "The call was interrupted; it has no result.";

/**
 * A conversation that happened elsewhere, with any agent → a file that Gemini CLI goes on with, under its `.gemini`. Pure.
 *
 * Told are the words of both sides and the main conversation's tool calls with their results. Left out are reasoning, what
 * subagents did (their call has their result), and states.
 */
export function writeTranscript(events: readonly UniversalEvent[], about: TranscriptAbout): TranscriptFile {
  const items = events.flatMap((event) => (event.type === "item.completed" ? [event.data.item] : []));
  const main = items.filter(({ parent_id }) => !parent_id);
  const head = { sessionId: about.nativeSessionId, time: new Date(about.time).toISOString() };
  const messages = main.flatMap((item) => messagesOf(item, main, { id: about.nextUuid(), timestamp: head.time }));
  const path = `tmp/${projectName(about.directory)}/chats/${chatFileName(head)}`;
  return { path, text: chatText(head, messages) };
}

type Origin = Pick<ChatMessage, "id" | "timestamp">;

function messagesOf(item: UniversalItem, all: readonly UniversalItem[], origin: Origin): ChatMessage[] {
  if (item.kind === "tool_call") {
    const toolCalls = item.content.flatMap((part) => (part.type === "tool_call" ? [toolCall(part, all)] : []));
    return toolCalls.length === 0 ? [] : [{ ...origin, type: "gemini", content: "", toolCalls }];
  }
  if (item.kind !== "message") return [];
  const text = item.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (text.trim() === "") return [];
  if (item.role === "user") return [{ ...origin, type: "user", content: [{ text }] }];
  return [{ ...origin, type: "gemini", content: text }];
}

/** The model service wants a result for each call; a result without a call is left out. */
function toolCall(
  call: { name: string; arguments: string; call_id: string },
  all: readonly UniversalItem[],
): ChatToolCall {
  const id = call.call_id;
  const name = takenName(call.name);
  const answer = all.find(({ kind, content }) => kind === "tool_result" && content.some((part) => isResult(part, id)));
  const result = answer?.content.find((part) => isResult(part, id));
  const output = result?.type === "tool_result" ? result.output : UNANSWERED;
  const failed = answer === undefined || answer.status === "failed";
  const response = failed ? { error: output } : { output };
  return {
    id,
    name,
    args: inputOf(call.arguments),
    result: [{ functionResponse: { id, name, response } }],
    status: failed ? "error" : "success",
    resultDisplay: output,
  };
}

function isResult(part: UniversalItem["content"][number], callId: string): boolean {
  return part.type === "tool_result" && part.call_id === callId;
}

/** The name that the program gives to a directory which it sees for the first time. */
function projectName(directory: string): string {
  const last = directory.split("/").filter(Boolean).at(-1) ?? "";
  const plain = last.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return plain.replaceAll(/^-|-$/g, "") || "project";
}
