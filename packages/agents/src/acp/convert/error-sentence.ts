import type { ErrorData } from "@sandbox-agent-ts/protocol";
import type { AgentProgram } from "../../install/agent-program.ts";
import { signInAdvice } from "../../install/sign-in-advice.ts";

const AUTHENTICATION_REQUIRED = -32000;

interface Cause {
  readonly code: string;
  readonly looksLike: RegExp;
  readonly sentence: string;
}

/** Agents put what their model service said into a text; what can be done about it is the same for all. */
const causes: readonly Cause[] = [
  {
    code: "forbidden",
    looksLike: /\b403\b|forbidden/i,
    sentence: "may not use this model with its account or key. Choose another model, or another account.",
  },
  {
    code: "unauthorized",
    looksLike: /\b401\b|unauthori[sz]ed|authenticat|api.?key|invalid.{0,12}key|not (logged|signed) in|credential/i,
    sentence: "is not signed in, or its key is not valid or may not be used for this.",
  },
  {
    code: "rate_limit_exceeded",
    looksLike: /\b429\b|rate.?limit|too many requests|quota/i,
    sentence: "was told to ask less often. Wait a little and send the message again.",
  },
  {
    code: "context_window_exceeded",
    looksLike: /context (length|window|limit)|too many tokens|prompt is too long/i,
    sentence: "cannot read a conversation this long. Go on in a new session.",
  },
  {
    code: "model_not_found",
    looksLike: /\b404\b|model.{0,40}(not (found|exist|available)|unknown)|no such model|unknown model/i,
    sentence: "does not have this model. Choose another model for the session.",
  },
  {
    code: "internal_server_error",
    looksLike: /\b5\d\d\b|overloaded|server error/i,
    sentence: "got no answer because the model service failed. Send the message again in a while.",
  },
  {
    code: "connection_failed",
    looksLike: /connection|network|ECONN|timed? ?out|fetch failed|stream/i,
    sentence: "cannot reach its model service. Check the network and send the message again.",
  },
];

/** An error of the agent with a code and a sentence that says what to do; `program` is what is signed in, if we know it. */
export function errorData(
  agentName: string,
  error: { code?: number; message: string; data?: unknown },
  program?: AgentProgram,
): ErrorData {
  const said = [error.message, dataText(error.data)].filter(Boolean).join(": ");
  const isSignIn = error.code === AUTHENTICATION_REQUIRED;
  const cause = causes.find(({ looksLike, code }) => (isSignIn ? code === "unauthorized" : looksLike.test(said)));
  const advice = cause?.code === "unauthorized" ? ` ${signInAdvice(program)}` : "";
  const sentence = cause ? cause.sentence + advice : "could not answer. Send the message again, or change it.";
  return {
    message: `${agentName} ${sentence} (${said || "It gave no reason."})`,
    code: cause?.code ?? "other",
    details: { code: error.code ?? null, message: error.message, data: error.data ?? null },
  };
}

const LONGEST_DATA = 500;

function dataText(data: unknown): string {
  if (data === undefined || data === null) return "";
  const { message, details } = data as { message?: unknown; details?: unknown };
  const text = [message, details, data].find((value) => typeof value === "string");
  return ((text as string | undefined) ?? JSON.stringify(data)).slice(0, LONGEST_DATA);
}
