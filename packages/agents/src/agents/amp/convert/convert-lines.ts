import type { ContentPart } from "@sandbox-agent-ts/protocol";
import type { AmpBlock, AmpLine, AmpServer } from "../dialect.ts";
import type { AmpState } from "./amp-state.ts";
import { Conversion, type Converted } from "./conversion.ts";
import { startCall } from "./tool-calls.ts";
import { takeToolResult } from "./tool-results.ts";
import { addUsage } from "./usage.ts";

/** The lines of one read → what happened. Pure; one state per batch and not per line, for the sake of floods. */
export function convertLines(state: AmpState, lines: readonly string[]): Converted {
  const to = new Conversion(state);
  for (const line of lines) if (line.trim() !== "") takeLine(to, line);
  return to.converted();
}

function takeLine(to: Conversion, raw: string): void {
  to.raw = raw;
  try {
    convert(to, JSON.parse(raw) as AmpLine);
  } catch (error) {
    to.emit("agent.unparsed", { error: (error as Error).message, location: "stdout of Amp" });
  }
}

function convert(to: Conversion, line: AmpLine): void {
  switch (line.type) {
    case "system":
      to.nativeSessionId = line.session_id ?? to.nativeSessionId;
      for (const server of line.mcp_servers ?? []) tellFailedServer(to, server);
      return;
    case "assistant":
      to.usage = addUsage(to.usage, line.message?.usage);
      for (const block of line.message?.content ?? []) takeBlock(to, block);
      return;
    case "user":
      takeResults(to, line.message?.content ?? []);
      return;
    case "result":
      to.result = line;
      return;
    default:
      throw new Error(`unknown kind of line: ${String((line as { type?: unknown } | null)?.type)}`);
  }
}

/** The first try has failed; Amp goes on trying, and the turn begins without. */
const failedStates = new Set(["failed", "error", "reconnecting"]);

/** Each turn is a process of its own, which starts its servers anew. */
function tellFailedServer(to: Conversion, { name = "", status, error }: AmpServer): void {
  if (!failedStates.has(status ?? "")) return;
  const detail = error ?? "Its tools are missing. Check its command or its address.";
  const content: ContentPart[] = [{ type: "status", label: `MCP server ${name} failed`, detail }];
  to.showItem({ kind: "status", role: "system", content }, "completed");
}

function takeBlock(to: Conversion, block: AmpBlock): void {
  if (block.type === "text") say(to, { type: "text", text: block.text ?? "" });
  if (block.type === "thinking") say(to, { type: "reasoning", text: block.thinking ?? "", visibility: "public" });
  if (block.type === "tool_use") startCall(to, block);
}

function say(to: Conversion, part: Extract<ContentPart, { text: string }>): void {
  if (part.text !== "") to.showItem({ kind: "message", role: "assistant", content: [part] }, "completed", part.text);
}

/** Of a user line only the results of tools are news: the words in it were the user's own. */
function takeResults(to: Conversion, content: AmpBlock[] | string): void {
  if (typeof content === "string") return;
  for (const block of content) if (block.type === "tool_result") takeToolResult(to, block);
}
