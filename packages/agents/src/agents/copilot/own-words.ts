import type { ErrorData } from "@sandbox-agent-ts/protocol";
import { errorData } from "../../acp/convert/error-sentence.ts";
import type { AcpContent, AcpUpdate } from "../../acp/dialect.ts";
import { program } from "./program.ts";

const retrying =
  /^Info: (Request failed due to a transient API error|Response was interrupted due to a server error)\. Retrying\.\.\.$/;
const cancelled = "Info: Operation cancelled by user";
const error =
  /^Error: (?=\d{3} |Authentication failed |Model '|Failed to get response from the AI model|Could not connect to )/;

/** What Copilot itself says comes as if its model had said it, each time as one whole chunk. */
export function ownWords(update: AcpUpdate): "info" | "error" | undefined {
  if (update.sessionUpdate !== "agent_message_chunk") return undefined;
  const text = textOf(update);
  const isInfo = text === cancelled || retrying.test(text);
  return isInfo ? "info" : error.test(text) ? "error" : undefined;
}

export function textOf({ content }: AcpUpdate): string {
  return (content as AcpContent | undefined)?.text ?? "";
}

/** It asks its model again, five times, with ever longer pauses. */
export function readRetry({ sessionUpdate, title }: AcpUpdate): ErrorData | undefined {
  return sessionUpdate === "notice" && retrying.test(title ?? "")
    ? errorData("GitHub Copilot", { message: "server error: request failed again and again" })
    : undefined;
}

/** A turn whose model failed ends normally, with a last message that says so. */
export function readFailure(lastText: string): ErrorData | undefined {
  return error.test(lastText)
    ? errorData("GitHub Copilot", { message: lastText.replace(error, "").trim() }, program)
    : undefined;
}
