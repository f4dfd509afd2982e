import type { ScriptedError } from "../../script/model-step.ts";
import { type Dialect, sse } from "../dialect.ts";
import { estimateTokens } from "../estimate-tokens.ts";
import type { Json } from "../json.ts";
import { geminiMethod, readGemini } from "./read-gemini.ts";
import { streamGemini, wholeGemini } from "./speak-gemini.ts";

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

/** The Gemini API. */
export const gemini: Dialect = {
  name: "gemini",
  asksForAnswer: (method, path) => method === "POST" && /:(stream)?generateContent$/i.test(path),
  sideAnswer,
  read: readGemini,
  conversationId: () => undefined,
  stream: streamGemini,
  whole: wholeGemini,
  errorBody,
  streamError: (error) => [sse(errorBody(error, 500))],
};

function sideAnswer(method: string, path: string, body: Json, models: readonly string[]): Json | undefined {
  if (method === "POST" && geminiMethod(path)?.method === "countTokens") return { totalTokens: estimateTokens(body) };
  if (method !== "GET" || !/\/v1beta\/models$/.test(path)) return undefined;
  const supportedGenerationMethods = ["generateContent", "countTokens"];
  return { models: models.map((name) => ({ name: `models/${name}`, displayName: name, supportedGenerationMethods })) };
}

function errorBody(error: ScriptedError, status: number): Json {
  const name = error.type ?? statusNames[status] ?? "INTERNAL";
  return { error: { code: status, message: error.message ?? `Scripted ${name}`, status: name } };
}
