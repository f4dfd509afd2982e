import type { ErrorData } from "@sandbox-agent-ts/protocol";
import { signInAdvice } from "../../../install/sign-in-advice.ts";
import type { NativeError } from "../dialect.ts";
import { program } from "../program.ts";

const sentences: Readonly<Record<string, string>> = {
  unauthorized: `The key of the model service is missing or not valid. ${signInAdvice(program)}`,
  model_not_found: "This model does not exist. Choose another model for the session.",
  rate_limit_exceeded: "The model service takes no more requests for now. Wait a little and send the message again.",
  bad_request: "The model service refused the request. Change the message, or the model of the session.",
  internal_server_error: "The model service failed. Send the message again in a while.",
  context_window_exceeded: "The conversation has become longer than the model can read. Go on in a new session.",
};

const codeOfStatus: Readonly<Record<number, string>> = {
  401: "unauthorized",
  403: "unauthorized",
  404: "model_not_found",
  429: "rate_limit_exceeded",
};

const codeOfName: Readonly<Record<string, string>> = {
  ProviderAuthError: "unauthorized",
  ProviderModelNotFoundError: "model_not_found",
  ContextOverflowError: "context_window_exceeded",
};

const LONGEST_WORDS = 500;
const UNREADABLE =
  "The model service answered with something that OpenCode cannot read. Send the message again, or choose another model.";

/** The server's error with a code and a sentence that says what to do. */
export function errorData({ name = "", data = {} }: NativeError): ErrorData {
  const said = data.message || name || "OpenCode failed without a reason.";
  const code = errorCode(name, said, data.statusCode);
  const sentence = sentences[code];
  const words = plainly(said);
  return {
    message: [sentence, sentence && words ? `(${words})` : (words ?? (sentence ? "" : UNREADABLE))]
      .filter(Boolean)
      .join(" "),
    code,
    details: { name, message: said, statusCode: data.statusCode ?? null },
  };
}

/** OpenCode asks a model that fails again and again, for ever. */
export function givenUpError(trouble: string): NativeError {
  const isRate = /rate|too many|429/i.test(trouble);
  return { name: "GivenUp", data: { message: `given up after: ${trouble}`, statusCode: isRate ? 429 : 500 } };
}

function errorCode(name: string, message: string, status: number | undefined): string {
  const named = codeOfName[name];
  if (named !== undefined) return named;
  if (status !== undefined) return codeOfStatus[status] ?? (status >= 500 ? "internal_server_error" : "bad_request");
  if (/^Model not found/i.test(message)) return "model_not_found";
  return /API key/i.test(message) ? "unauthorized" : "other";
}

const parserWords = /\bJSON\b|unexpected (token|end)|SyntaxError|type validation failed|zod|at position \d+/i;

/** What a person can read of an error: neither data, nor what a parser says of them, nor places in somebody's code. */
export function plainly(said: string): string | undefined {
  const inside = messageInside(said);
  if (inside !== undefined) return plainly(inside);
  const [line = ""] = said.split("\n");
  const words = line.replace(/[\s:(]*[{[]\s*["{[].*$/s, "").trim();
  return words === "" || parserWords.test(words) ? undefined : words.slice(0, LONGEST_WORDS);
}

/** Of an error that is told as data. */
function messageInside(said: string): string | undefined {
  const data = /[{].*[}]/s.exec(said)?.[0];
  if (data === undefined) return undefined;
  try {
    const { error, message } = JSON.parse(data) as { error?: { message?: unknown } | string; message?: unknown };
    const found = typeof error === "object" ? (error?.message ?? message) : (message ?? error);
    return typeof found === "string" ? found : undefined;
  } catch {
    return undefined;
  }
}
