import type { ErrorData } from "@sandbox-agent-ts/protocol";
import { errorData } from "../../acp/convert/error-sentence.ts";
import { program } from "./program.ts";

const failed = /^(?:Ran into this error: |Network error: )([\s\S]*?)\n\nPlease (?:retry|resend)/;

/** Goose ends a turn normally when its model fails, and says so in a message of its own. */
export function readFailure(text: string): ErrorData | undefined {
  const said = failed.exec(text)?.[0];
  return said === undefined ? undefined : errorData("Goose", { message: said.replace(/\n\nPlease.*$/s, "") }, program);
}
