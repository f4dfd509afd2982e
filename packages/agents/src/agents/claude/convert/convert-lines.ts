import type { ClaudeLine } from "../dialect.ts";
import { takeAssistant } from "./assistant-lines.ts";
import type { ClaudeState } from "./claude-state.ts";
import { Conversion, type Converted } from "./conversion.ts";
import { takeCancel, takeControlRequest } from "./requests.ts";
import { takeResult } from "./results.ts";
import { takeStreamEvent } from "./stream-events.ts";
import { takeSystem } from "./system-lines.ts";
import { takeUser } from "./tool-results.ts";

/** Kinds of lines that say nothing we need. */
const silent = new Set([
  "active_goal",
  "auth_status",
  "control_response",
  "conversation_reset",
  "keep_alive",
  "prompt_suggestion",
  "rate_limit_event",
  "tool_progress",
  "tool_use_summary",
]);

/**
 * The lines of one read, up to the end of the turn → what happened. Pure; one state per batch and not per line, for the
 * sake of floods.
 */
export function convertLines(state: ClaudeState, lines: readonly string[]): Converted {
  const to = new Conversion(state);
  let count = 0;
  while (count < lines.length && to.outcome === undefined) {
    const line = lines[count] as string;
    if (line !== "") takeLine(to, line);
    count += 1;
  }
  return to.result(lines.slice(count));
}

function takeLine(to: Conversion, raw: string): void {
  to.raw = raw;
  try {
    const line = JSON.parse(raw) as ClaudeLine;
    if (!convert(to, line)) throw new Error(`unknown kind of line: ${kindOf(line)}`);
  } catch (error) {
    to.emit("agent.unparsed", { error: (error as Error).message, location: "stdout of Claude Code" });
  }
}

function kindOf(line: { type?: unknown; subtype?: unknown } | null): string {
  return [line?.type, line?.subtype].filter((word) => word !== undefined).join("/");
}

function convert(to: Conversion, line: ClaudeLine): boolean {
  switch (line.type) {
    case "stream_event":
      if (!line.parent_tool_use_id) takeStreamEvent(to, line.event);
      return true;
    case "assistant":
      takeAssistant(to, line);
      return true;
    case "user":
      takeUser(to, line);
      return true;
    case "system":
      return takeSystem(to, line);
    case "result":
      takeResult(to, line);
      return true;
    case "control_request":
      takeControlRequest(to, line);
      return true;
    case "control_cancel_request":
      takeCancel(to, line.request_id);
      return true;
    case "command_lifecycle":
      takeLifecycle(to, line.command_uuid, line.state);
      return true;
    default:
      return silent.has((line as { type: string }).type);
  }
}

/** Before our prompt has started, an idle session is one that has not read it yet. */
function takeLifecycle(to: Conversion, promptId: string, state: string): void {
  if (to.turn?.promptId === promptId && state !== "queued") to.turn = { ...to.turn, started: true };
}
