import type { ErrorData } from "@sandbox-agent/protocol";
import { errorData } from "../../acp/convert/error-sentence.ts";
import type { AcpContent, AcpUpdate } from "../../acp/dialect.ts";

const RETRYING = "Info: Request failed due to a transient API error. Retrying...";
const info = /^Info: (Request failed due to a transient API error\. Retrying\.\.\.|Operation cancelled by user)$/;
const error = /^Error: (?=\d{3} |Authentication failed |Model '|Failed to get response from the AI model)/;

/** What Copilot itself says comes as if its model had said it, each time as one whole chunk. */
export function ownWords(update: AcpUpdate): "info" | "error" | undefined {
  if (update.sessionUpdate !== "agent_message_chunk") return undefined;
  const text = textOf(update);
  return info.test(text) ? "info" : error.test(text) ? "error" : undefined;
}

export function textOf({ content }: AcpUpdate): string {
  return (content as AcpContent | undefined)?.text ?? "";
}

/** It asks its model again, five times, with ever longer pauses. */
export function readRetry({ sessionUpdate, title }: AcpUpdate): ErrorData | undefined {
  return sessionUpdate === "notice" && title === RETRYING
    ? errorData("GitHub Copilot", { message: "server error: request failed again and again" })
    : undefined;
}

/** A turn whose model failed ends normally, with a last message that says so. */
export function readFailure(lastText: string): ErrorData | undefined {
  return error.test(lastText)
    ? errorData("GitHub Copilot", { message: lastText.replace(error, "").trim() })
    : undefined;
}
