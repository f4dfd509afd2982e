import {
  type ModelMessage,
  type ModelRequest,
  modelMessage,
  type RequestImage,
  type RequestToolResult,
} from "../../conversation/model-request.ts";
import { imageOf, type Json, number, objects, parsedOrText, string } from "../json.ts";
import { readCompaction } from "./compaction.ts";

/** Developer messages count as the system prompt: Codex puts half of its instructions there. */
export function readResponses(body: Json): ModelRequest {
  const input = typeof body.input === "string" ? [{ role: "user", content: body.input }] : objects(body.input);
  const messages = input.flatMap(readItem);
  const instructions = messages.filter(({ role }) => role === "system").map(({ text }) => text);
  return {
    model: string(body.model),
    stream: body.stream === true,
    system: [string(body.instructions), ...instructions].filter(Boolean).join("\n"),
    messages,
    tools: [...objects(body.tools), ...input.flatMap(additionalTools)].flatMap(toolNames),
    maxTokens: number(body.max_output_tokens),
  };
}

/** Newer Codex models get their tools as an item of the input. */
function additionalTools(item: Json): Json[] {
  return item.type === "additional_tools" ? objects(item.tools) : [];
}

function toolNames(tool: Json): string[] {
  const own = string(tool.name) || string(tool.type);
  const nested = tool.type === "namespace" ? objects(tool.tools).map(({ name }) => `${own}.${string(name)}`) : [];
  return [own, ...nested];
}

function readItem(item: Json): ModelMessage[] {
  const compaction = readCompaction(item);
  if (compaction) return compaction;
  const id = string(item.call_id);
  switch (item.type ?? "message") {
    case "message":
      return [readMessage(item)];
    case "reasoning": {
      const reasoning = [...objects(item.summary), ...objects(item.content)].map(({ text }) => string(text)).join("\n");
      return [modelMessage("assistant", { reasoning })];
    }
    case "function_call":
      return [assistantCall(id, item, parsedOrText(string(item.arguments)))];
    case "custom_tool_call":
      return [assistantCall(id, item, item.input)];
    case "function_call_output":
    case "custom_tool_call_output":
      return [modelMessage("user", { toolResults: [readToolResult(id, item.output)] })];
    default:
      return [];
  }
}

function assistantCall(id: string, item: Json, input: unknown): ModelMessage {
  return modelMessage("assistant", { toolCalls: [{ id, name: string(item.name), input }] });
}

function readMessage(item: Json): ModelMessage {
  const roles = { assistant: "assistant", developer: "system", system: "system" } as const;
  const role = roles[item.role as keyof typeof roles] ?? "user";
  const content = partsOf(item.content);
  return modelMessage(role, { texts: textsIn(content), images: imagesIn(content) });
}

/** The API has no field for a failed tool; its text tells. */
function readToolResult(id: string, output: unknown): RequestToolResult {
  const parts = partsOf(output);
  return { id, text: textsIn(parts).join("\n"), isError: false, images: imagesIn(parts) };
}

function partsOf(content: unknown): Json[] {
  return typeof content === "string" ? [{ type: "input_text", text: content }] : objects(content);
}

function textsIn(parts: readonly Json[]): string[] {
  return parts.filter(({ text }) => typeof text === "string").map(({ text }) => string(text));
}

function imagesIn(parts: readonly Json[]): RequestImage[] {
  return parts.filter(({ type }) => type === "input_image").map((part) => imageOf(string(part.image_url)));
}
