import type { AcpUpdate } from "../../acp/dialect.ts";
import { ownWords, textOf } from "./own-words.ts";

interface CopilotOutput {
  readonly contents?: readonly { readonly type?: string; readonly exitCode?: number }[];
}

/** Copilot's own words are no words of its model, and a command that failed has not completed. */
export function rewriteUpdate(update: AcpUpdate): readonly AcpUpdate[] {
  switch (ownWords(update)) {
    case "info":
      return [{ sessionUpdate: "notice", severity: "info", title: textOf(update) }];
    case "error":
      // A message of its own, whatever was said before it.
      return [{ ...update, messageId: "error" }];
    default:
      return [withToolName(withTrueStatus(update))];
  }
}

/** Of a tool of no known kind, e.g. one of an MCP server, the first title is the name, unless the model gave it a title. */
function withToolName(update: AcpUpdate): AcpUpdate {
  const { sessionUpdate, kind, title, rawInput } = update;
  if (sessionUpdate !== "tool_call" || kind !== "other" || !title) return update;
  const { description } = (rawInput ?? {}) as { description?: unknown };
  return title === description ? update : { ...update, name: title };
}

/** The exit code stands beside the result. */
function withTrueStatus(update: AcpUpdate): AcpUpdate {
  if (update.sessionUpdate !== "tool_call_update" || update.status !== "completed") return update;
  const { contents = [] } = (update.rawOutput ?? {}) as CopilotOutput;
  const failed = contents.some(({ type, exitCode = 0 }) => type === "shell_exit" && exitCode !== 0);
  return failed ? { ...update, status: "failed" } : update;
}
