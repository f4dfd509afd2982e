/** What a request says, the same in every dialect. */
export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** Names of the tools that are offered. */
  readonly tools: readonly string[];
  readonly maxTokens?: number | undefined;
}

export interface ModelMessage {
  readonly role: "user" | "assistant" | "system";
  /** Its texts joined by newlines. */
  readonly text: string;
  readonly texts: readonly string[];
  readonly reasoning: string;
  readonly images: readonly RequestImage[];
  readonly toolCalls: readonly RequestToolCall[];
  readonly toolResults: readonly RequestToolResult[];
}

export interface RequestImage {
  readonly mime: string | undefined;
  /** Base64, or undefined where the image is named by its URL. */
  readonly data: string | undefined;
  readonly url: string | undefined;
}

export interface RequestToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface RequestToolResult {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
  readonly images: readonly RequestImage[];
}

type Parts = Partial<Omit<ModelMessage, "role" | "text">>;

export function modelMessage(role: ModelMessage["role"], parts: Parts): ModelMessage {
  const texts = parts.texts ?? [];
  return { role, reasoning: "", images: [], toolCalls: [], toolResults: [], ...parts, texts, text: texts.join("\n") };
}
