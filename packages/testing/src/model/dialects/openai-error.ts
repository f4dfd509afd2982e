import type { ScriptedError } from "../script/model-step.ts";
import type { Json } from "./json.ts";

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "invalid_request_error",
  403: "permission_error",
  404: "invalid_request_error",
  429: "rate_limit_exceeded",
};

const errorCodes: Readonly<Record<number, string>> = {
  401: "invalid_api_key",
  404: "model_not_found",
  429: "rate_limit_exceeded",
};

/** The error of both OpenAI APIs. A type that the script gives is both its type and its code, as clients look at either. */
export function openaiError(error: ScriptedError, status: number): Json {
  const type = error.type ?? errorTypes[status] ?? "server_error";
  const code = error.type ?? errorCodes[status] ?? null;
  return { error: { message: error.message ?? `Scripted ${type}`, type, param: null, code } };
}
