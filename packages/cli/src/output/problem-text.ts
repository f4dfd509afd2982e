import type { SessionInfo } from "@sandbox-agent-ts/sdk";
import { shellQuote } from "./shell-quote.ts";

/** Why a session cannot go on, and the commands that read and delete it; undefined when nothing is wrong with it. */
export function problemText({ sessionId, problem }: Pick<SessionInfo, "sessionId" | "problem">): string | undefined {
  if (!problem) return undefined;
  const command = (word: string): string => `\`sandbox-agent sessions ${word} ${shellQuote(sessionId)}\``;
  return `${problem} ${command("events")} shows it, ${command("delete")} deletes it.`;
}
