import { type ModelMessage, type ModelRequest, modelMessage } from "../../conversation/model-request.ts";
import { type Json, number, object, objects, string } from "../json.ts";

const modelInPath = /\/models\/([^/:]+):(\w+)$/;

export function geminiMethod(path: string): { readonly model: string; readonly method: string } | undefined {
  const [, model, method] = modelInPath.exec(path) ?? [];
  return model === undefined || method === undefined ? undefined : { model: decodeURIComponent(model), method };
}

export function readGemini(body: Json, url: URL): ModelRequest {
  const { model = "", method = "" } = geminiMethod(url.pathname) ?? {};
  const declared = objects(body.tools).flatMap((tool) => objects(tool.functionDeclarations));
  return {
    model,
    stream: method === "streamGenerateContent",
    system: objects(object(body.systemInstruction).parts).map(textOf).join("\n"),
    messages: objects(body.contents).map(readContent),
    tools: declared.map(({ name }) => string(name)),
    maxTokens: number(object(body.generationConfig).maxOutputTokens),
  };
}

function readContent(content: Json): ModelMessage {
  const parts = objects(content.parts);
  const spoken = parts.filter(({ text }) => typeof text === "string");
  return modelMessage(content.role === "model" ? "assistant" : "user", {
    texts: spoken.filter(({ thought }) => thought !== true).map(textOf),
    reasoning: spoken
      .filter(({ thought }) => thought === true)
      .map(textOf)
      .join(""),
    images: parts.map(({ inlineData }) => object(inlineData)).flatMap(readImage),
    toolCalls: parts
      .filter(({ functionCall }) => functionCall !== undefined)
      .map(({ functionCall }) => object(functionCall))
      .map(({ id, name, args }) => ({ id: string(id) || string(name), name: string(name), input: args })),
    toolResults: parts
      .filter(({ functionResponse }) => functionResponse !== undefined)
      .map(({ functionResponse }) => readToolResult(object(functionResponse))),
  });
}

function readImage(inline: Json): ModelMessage["images"] {
  return typeof inline.data === "string" ? [{ mime: string(inline.mimeType), data: inline.data, url: undefined }] : [];
}

function readToolResult({ id, name, response }: Json): ModelMessage["toolResults"][number] {
  const { output, error } = { output: undefined, error: undefined, ...object(response) };
  const value = error ?? output ?? response;
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return { id: string(id) || string(name), text, isError: error !== undefined, images: [] };
}

function textOf({ text }: Json): string {
  return string(text);
}
