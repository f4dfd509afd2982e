import { loginCommand, signInAdvice } from "../../../install/sign-in-advice.ts";
import type { ResultLine } from "../dialect.ts";
import { program } from "../program.ts";
import type { TurnFailure } from "./claude-state.ts";

/** What to do, by Claude Code's own name of what went wrong. */
const advice: Record<string, string> = {
  authentication_failed: `The model service refuses Claude Code's credentials. ${signInAdvice(program)}`,
  oauth_org_not_allowed: `This organization may not use Claude Code. Sign in with another account: \`${loginCommand(program)}\`.`,
  billing_error: "The account has no credit left. Add credit to it, or use another key.",
  rate_limit: "The model service limits how often it may be asked. Wait a while, then send the message again.",
  overloaded: "The model service is overloaded. Wait a while, then send the message again.",
  server_error: "The model service has a problem of its own. Wait a while, then send the message again.",
  model_not_found:
    "The model service does not know this model. Create the session with one that the models list names.",
  invalid_request: "The model service refuses the request as it is. Change the message, or begin a new session.",
  max_output_tokens: "The answer became longer than the model may write. Ask for a shorter one.",
  unknown: "The model service could not be asked. Check that it can be reached, then send the message again.",
};

const notSignedIn = /not logged in|run \/login/i;

export function failureOf(code: string, said: string, status?: number): TurnFailure {
  if (notSignedIn.test(said)) {
    const message = `Claude Code is not signed in. ${signInAdvice(program)}`;
    return { code: "authentication_failed", message, ...(status === undefined ? {} : { status }) };
  }
  const sentence = advice[code] ?? advice.unknown;
  const message = said === "" ? `${sentence}` : `${sentence} Claude Code says: ${said}`;
  return { code, message, ...(status === undefined ? {} : { status }) };
}

/** Why a turn went wrong, from its last line; `subtype` may say success all the same. */
export function failureOfResult(line: ResultLine, noted: TurnFailure | null): TurnFailure | null {
  if (!line.is_error) return null;
  if (noted) return noted;
  const said = line.result || (line.errors ?? []).join(" ") || line.subtype;
  if (line.terminal_reason === "api_error") return failureOf("unknown", said, line.api_error_status ?? undefined);
  return { code: line.subtype, message: `Claude Code ended the turn with an error: ${said}. Send the message again.` };
}
