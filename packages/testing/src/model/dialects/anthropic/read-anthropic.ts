import {
  type ModelMessage,
  type ModelRequest,
  modelMessage,
  type RequestImage,
  type RequestToolResult,
} from "../../conversation/model-request.ts";
import { type Json, number, object, objects, string } from "../json.ts";

export function readAnthropic(body: Json): ModelRequest {
  const messages = objects(body.messages).map(readMessage);
  const instructions = messages.filter(({ role }) => role === "system").map(({ text }) => text);
  return {
    model: string(body.model),
    stream: body.stream === true,
    system: [...blocksOf(body.system).map(textOf), ...instructions].join("\n"),
    messages,
    tools: objects(body.tools).map(({ name }) => string(name)),
    maxTokens: number(body.max_tokens),
  };
}

/** Claude Code puts messages of the role "system" between the others. */
function readMessage(message: Json): ModelMessage {
  const role = message.role === "assistant" || message.role === "system" ? message.role : "user";
  const blocks = blocksOf(message.content);
  const ofType = (type: string): Json[] => blocks.filter((block) => block.type === type);
  return modelMessage(role, {
    texts: ofType("text").map(textOf),
    reasoning: ofType("thinking")
      .map(({ thinking }) => string(thinking))
      .join(""),
    images: imagesIn(blocks),
    toolCalls: ofType("tool_use").map(({ id, name, input }) => ({ id: string(id), name: string(name), input })),
    toolResults: ofType("tool_result").map(readToolResult),
  });
}

function readToolResult(block: Json): RequestToolResult {
  const content = blocksOf(block.content);
  return {
    id: string(block.tool_use_id),
    text: content.map(textOf).filter(Boolean).join("\n"),
    isError: block.is_error === true,
    images: imagesIn(content),
  };
}

function blocksOf(content: unknown): Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objects(content);
}

function textOf({ text }: Json): string {
  return string(text);
}

function imagesIn(blocks: readonly Json[]): RequestImage[] {
  return blocks
    .filter(({ type }) => type === "image")
    .map((block) => {
      const source = object(block.source);
      const part = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
      return { mime: part(source.media_type), data: part(source.data), url: part(source.url) };
    });
}
