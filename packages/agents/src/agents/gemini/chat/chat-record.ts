/** What Gemini CLI keeps of a conversation (`chats/session-*.jsonl`), as far as we read it. Nothing is promised to be there. */

/** A line of the file: the beginning, a message, a change of what was said before, or a step back. */
export interface ChatRecord extends Partial<ChatMessage> {
  readonly sessionId?: string;
  readonly lastUpdated?: string;
  readonly messages?: readonly ChatMessage[];
  readonly $set?: { readonly messages?: readonly ChatMessage[]; readonly lastUpdated?: string };
  readonly $rewindTo?: string;
}

export interface ChatMessage {
  readonly id: string;
  readonly timestamp?: string;
  /** `user`, `gemini`, or a notice of the program. */
  readonly type?: string;
  readonly content?: string | ChatPart | readonly (ChatPart | string)[];
  readonly thoughts?: readonly ChatThought[] | null;
  readonly toolCalls?: readonly ChatToolCall[];
}

export interface ChatPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly inlineData?: ChatData;
  readonly functionCall?: { readonly id?: string; readonly name?: string; readonly args?: object };
  readonly functionResponse?: ChatResponse;
}

export interface ChatData {
  readonly mimeType?: string;
  readonly data?: string;
}

export interface ChatResponse {
  readonly id?: string;
  readonly name?: string;
  readonly response?: { readonly output?: unknown; readonly error?: unknown };
  readonly parts?: readonly ChatPart[];
}

export interface ChatThought {
  readonly subject?: string;
  readonly description?: string;
}

export interface ChatToolCall {
  readonly id: string;
  readonly name?: string;
  readonly args?: object;
  readonly result?: readonly ChatPart[] | null;
  /** `success`, `error` or `cancelled`. */
  readonly status?: string;
  readonly timestamp?: string;
  readonly resultDisplay?: unknown;
}

/** Always parts, whatever way a content is written. */
export function partsOf({ content }: Pick<ChatMessage, "content">): ChatPart[] {
  if (content === undefined || content === null) return [];
  const list = Array.isArray(content) ? (content as readonly (ChatPart | string)[]) : [content as ChatPart | string];
  return list.filter(Boolean).map((part) => (typeof part === "string" ? { text: part } : part));
}
