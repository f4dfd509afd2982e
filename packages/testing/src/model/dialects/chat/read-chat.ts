import {
  type ModelMessage,
  type ModelRequest,
  modelMessage,
  type RequestImage,
  type RequestToolCall,
} from "../../conversation/model-request.ts";
import { imageOf, type Json, number, object, objects, parsedOrText, string } from "../json.ts";

export function readChat(body: Json): ModelRequest {
  const messages = objects(body.messages).map(readMessage);
  const instructions = messages.filter(({ role }) => role === "system").map(({ text }) => text);
  return {
    model: string(body.model),
    stream: body.stream === true,
    system: instructions.join("\n"),
    messages,
    tools: objects(body.tools).map((tool) => string(object(tool.function ?? tool.custom).name)),
    maxTokens: number(body.max_completion_tokens) ?? number(body.max_tokens),
  };
}

function readMessage(message: Json): ModelMessage {
  const parts = partsOf(message.content);
  const texts = parts.filter(({ text }) => typeof text === "string").map(({ text }) => string(text));
  const images = imagesIn(parts);
  switch (message.role) {
    case "tool": {
      const result = { id: string(message.tool_call_id), text: texts.join("\n"), isError: false, images };
      return modelMessage("user", { toolResults: [result] });
    }
    case "assistant":
      return modelMessage("assistant", {
        texts,
        images,
        reasoning: string(message.reasoning_content),
        toolCalls: objects(message.tool_calls).map(readToolCall),
      });
    case "system":
    case "developer":
      return modelMessage("system", { texts, images });
    default:
      return modelMessage("user", { texts, images });
  }
}

function readToolCall(call: Json): RequestToolCall {
  const {
    name,
    arguments: args,
    input,
  } = { name: "", arguments: "", input: undefined, ...object(call.function ?? call.custom) };
  return { id: string(call.id), name: string(name), input: input ?? parsedOrText(string(args)) };
}

function partsOf(content: unknown): Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objects(content);
}

function imagesIn(parts: readonly Json[]): RequestImage[] {
  return parts.filter(({ type }) => type === "image_url").map((part) => imageOf(string(object(part.image_url).url)));
}
