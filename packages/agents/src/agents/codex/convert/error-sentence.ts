import type { ErrorData } from "@sandbox-agent-ts/protocol";
import { signInAdvice } from "../../../install/sign-in-advice.ts";
import type { CodexError, CodexErrorInfo } from "../dialect.ts";
import { program } from "../program.ts";

const sentences: Readonly<Record<string, string>> = {
  unauthorized: `Codex is not signed in, or its key is not valid. ${signInAdvice(program)}`,
  usage_limit_exceeded: "The usage limit of the account is reached. Wait until it is reset, or use another account.",
  rate_limit_exceeded: "The model service takes no more requests for now. Wait a little and send the message again.",
  model_not_found: "The model service does not have this model. Choose another model for the session.",
  context_window_exceeded: "The conversation has become longer than the model can read. Go on in a new session.",
  server_overloaded: "The model service is overloaded. Send the message again in a while.",
  internal_server_error: "The model service failed. Send the message again in a while.",
  connection_failed: "The model service cannot be reached or broke off. Check the network and send the message again.",
  bad_request: "The model service refused the request. Change the message, or the model of the session.",
  sandbox_error: "Codex could not set up its sandbox. Use the permission mode `bypass` inside of another sandbox.",
};

const codeOfStatus: Readonly<Record<number, string>> = {
  400: "bad_request",
  401: "unauthorized",
  403: "unauthorized",
  404: "model_not_found",
  429: "rate_limit_exceeded",
};

/** The server's error with a code and a sentence that says what to do. */
export function errorData({ message = "", codexErrorInfo, additionalDetails }: CodexError): ErrorData {
  const code = errorCode(codexErrorInfo ?? undefined, message);
  const sentence = sentences[code];
  const said = [message, additionalDetails].flatMap((text) => (text ? [plainWords(text)] : [])).join(" ");
  return {
    message: sentence === undefined ? said || "Codex failed without a reason." : `${sentence} (${said})`,
    code,
    details: { codexErrorInfo: codexErrorInfo ?? null, message, additionalDetails: additionalDetails ?? null },
  };
}

/** The words in an answer of the model service, which Codex often repeats whole. */
function plainWords(text: string): string {
  const body = /\{[\s\S]*\}/.exec(text)?.[0] ?? "";
  try {
    const { error, message } = JSON.parse(body) as { error?: { message?: unknown } | string; message?: unknown };
    const words = [typeof error === "object" ? error.message : error, message].find((one) => typeof one === "string");
    return words === undefined ? text.replace(body, "").trim() : text.replace(body, () => words as string);
  } catch {
    return text;
  }
}

function errorCode(info: CodexErrorInfo | undefined, message: string): string {
  const name = typeof info === "string" ? info : Object.keys(info ?? {})[0];
  const status = typeof info === "object" ? info[name ?? ""]?.httpStatusCode : undefined;
  if (typeof status === "number" && status === 400 && codeOfMessage(message) !== "other") return codeOfMessage(message);
  if (typeof status === "number")
    return codeOfStatus[status] ?? (status >= 500 ? "internal_server_error" : "bad_request");
  if (typeof info === "object") return "connection_failed";
  if (name !== undefined && name !== "other") return snakeCase(name);
  return codeOfMessage(message);
}

/** Where the server itself says only `other`. */
function codeOfMessage(message: string): string {
  if (/context_length_exceeded|maximum context length|context window/i.test(message)) return "context_window_exceeded";
  if (/^Missing environment variable/.test(message)) return "unauthorized";
  if (/disconnected|error sending request|network/i.test(message)) return "connection_failed";
  return "other";
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
