import { type ChatMessage, type ChatThought, type ChatToolCall, partsOf } from "./chat-record.ts";
import { mendChat } from "./mend-chat.ts";

/** What happened in a conversation, one thing after the other. */
export type ChatStep = { readonly time: string | undefined } & (
  | { readonly type: "said"; readonly text: string; readonly id: string }
  | { readonly type: "thought" | "text"; readonly text: string }
  | { readonly type: "call"; readonly call: ChatToolCall }
);

/** Pure. */
export function chatSteps(messages: readonly ChatMessage[]): ChatStep[] {
  return mendChat(messages).flatMap((message) => {
    if (message.type === "user") return said(message);
    return message.type === "gemini" ? answered(message) : [];
  });
}

/** What the program puts into the user's mouth. */
const notSaid = /^\s*<(session_context|hook_context)>/;
/** From here on it is what the program read of the files that go with a message. */
const attached = /^\s*--- Content from referenced/;

function said(message: ChatMessage): ChatStep[] {
  const texts = partsOf(message).flatMap(({ text }) => text ?? []);
  const end = texts.findIndex((text) => attached.test(text));
  const text = texts.slice(0, end < 0 ? texts.length : end).join("\n");
  return text === "" || notSaid.test(text) ? [] : [{ type: "said", text, id: message.id, time: message.timestamp }];
}

function answered(message: ChatMessage): ChatStep[] {
  const time = message.timestamp;
  const thought = (message.thoughts ?? []).map(thoughtText).join("");
  const text = partsOf(message)
    .flatMap((part) => part.text ?? [])
    .join("");
  return [
    ...(thought === "" ? [] : [{ type: "thought", text: thought, time } as const]),
    ...(text === "" ? [] : [{ type: "text", text, time } as const]),
    ...(message.toolCalls ?? []).map((call) => ({ type: "call", call, time }) as const),
  ];
}

/** One without a subject goes on with the one before. */
export function thoughtText({ subject = "", description = "" }: ChatThought): string {
  return subject === "" ? description : `**${subject}**\n${description}\n`;
}
