import { type ChatMessage, type ChatPart, type ChatResponse, type ChatToolCall, partsOf } from "./chat-record.ts";

/**
 * The same conversation with each call in the answer that made it, together with its result, and in no other place. Pure.
 *
 * The program writes otherwise: over ACP all calls of all turns into one message, until the conversation is taken up again,
 * and results as messages of the user. Of that it would make a history for its model that model services refuse.
 */
export function mendChat(messages: readonly ChatMessage[]): ChatMessage[] {
  const calls = knownCalls(messages);
  const answered = new Set(messages.flatMap(responsesOf).map(({ id }) => id));
  const mended: ChatMessage[] = [];
  for (const message of messages) {
    const ended = responsesOf(message).flatMap((response) => endedCall(response, calls));
    if (ended.length === 0) mended.push(message.type === "gemini" ? withoutCalls(message, answered) : message);
    else mended.push(withCalls(mended.at(-1)?.type === "gemini" ? mended.pop()! : wordless(message), ended));
  }
  return mended.filter((message) => message.type !== "gemini" || says(message));
}

/** The results that a message of the user tells. */
export function responsesOf(message: ChatMessage): ChatResponse[] {
  return message.type === "user" ? partsOf(message).flatMap(({ functionResponse }) => functionResponse ?? []) : [];
}

/** All that is known of each call, wherever it stands. */
function knownCalls(messages: readonly ChatMessage[]): Map<string, ChatToolCall> {
  const asked = messages.flatMap(partsOf).flatMap(({ functionCall }) => functionCall ?? []);
  const told = asked.flatMap(({ id, ...call }) => (id === undefined ? [] : [{ id, ...call }]));
  const recorded = messages.flatMap(({ toolCalls }) => toolCalls ?? []);
  return new Map([...told, ...recorded].map((call) => [call.id, call]));
}

/** Of a call that the user refused, or of a tool that is not there, nothing but its result is kept. */
function endedCall(response: ChatResponse, calls: ReadonlyMap<string, ChatToolCall>): ChatToolCall[] {
  const { id, name } = response;
  if (id === undefined) return [];
  const status = response.response?.error === undefined ? "success" : "error";
  return [
    { id, ...(name ? { name } : {}), args: {}, status, result: [{ functionResponse: response }], ...calls.get(id) },
  ];
}

function withoutCalls(message: ChatMessage, answered: ReadonlySet<string | undefined>): ChatMessage {
  const { toolCalls = [], ...rest } = message;
  const content = partsOf(message).filter((part) => !part.functionCall && !part.thought);
  const unanswered = toolCalls.filter(({ id }) => !answered.has(id));
  return { ...rest, content, ...(unanswered.length > 0 ? { toolCalls: unanswered } : {}) };
}

function withCalls(message: ChatMessage, ended: readonly ChatToolCall[]): ChatMessage {
  const calls = [...(message.toolCalls ?? []), ...ended].map((call) => [call.id, call] as const);
  return { ...message, toolCalls: [...new Map(calls).values()] };
}

function wordless({ id, timestamp }: ChatMessage): ChatMessage {
  return { id, type: "gemini", content: [], ...(timestamp === undefined ? {} : { timestamp }) };
}

function says(message: ChatMessage): boolean {
  const isSaid = (part: ChatPart) => part.text !== "";
  return partsOf(message).some(isSaid) || Boolean(message.thoughts?.length) || Boolean(message.toolCalls?.length);
}
