import { signInAdvice } from "../../install/sign-in-advice.ts";
import { program } from "./program.ts";

/** What went wrong in a turn, told to a person. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

export const notSignedIn: Failure = {
  code: "authentication_failed",
  message: `Amp is not signed in. ${signInAdvice(program)}`,
};

const aboutTheKey = /\b(api key|access token|unauthorized|invalid x-api-key|amp login)\b/i;

/** Amp's own words, and what to do about them. */
export function failureOf(said: string): Failure {
  const words = said.trim().replace(/[.\s]*$/, "");
  if (aboutTheKey.test(said)) {
    const message = `Amp's key was refused: ${words}. ${signInAdvice(program)}`;
    return { code: "authentication_failed", message };
  }
  return { code: "agent_error", message: `Amp gave up: ${words}. Send the message again to go on.` };
}
