import type { ContentPart, UniversalEvent, UniversalItem } from "@sandbox-agent-ts/protocol";
import { takenName } from "../../transcripts/foreign-call.ts";
import type { TranscriptAbout, TranscriptFile } from "../../transcripts/transcript-dialect.ts";
import { program } from "./program.ts";

type About = Omit<TranscriptAbout, "nextUuid">;
type ResponseItem = Readonly<Record<string, unknown>>;

const UNANSWERED = "The call was not answered.";

/**
 * A conversation that happened elsewhere, with any agent → a rollout that `thread/resume` goes on with. Pure.
 *
 * Told are the words of both sides and the main conversation's tool calls with their results. Left out are reasoning, which
 * the model service takes only from itself, what subagents did (their call has their result), and states.
 */
export function writeTranscript(events: readonly UniversalEvent[], about: About): TranscriptFile {
  const items = events.flatMap((event) => (event.type === "item.completed" ? [event.data.item] : []));
  const told = answered(items.filter(({ parent_id }) => !parent_id).flatMap(responseItems));
  const lines = [
    { type: "session_meta", payload: metaOf(about) },
    ...told.map((payload) => ({ type: "response_item", payload })),
  ];
  const text = lines
    .map((line, ordinal) => `${JSON.stringify({ timestamp: about.time, ordinal, ...line })}\n`)
    .join("");
  return { path: pathOf(about), text };
}

function metaOf({ nativeSessionId, time, directory }: About): object {
  return {
    id: nativeSessionId,
    timestamp: time,
    cwd: directory,
    originator: "sandbox-agent",
    cli_version: program.version,
    source: "vscode",
    // Only so it writes down what becomes of tools, which `readTranscript` reads.
    history_mode: "paginated",
  };
}

/** `sessions/2026/11/15/rollout-2026-11-15T20-00-00-<id>.jsonl` */
function pathOf({ time, nativeSessionId }: About): string {
  const [second = ""] = new Date(time).toISOString().split(".");
  const day = second.slice(0, 10).replaceAll("-", "/");
  return `sessions/${day}/rollout-${second.replaceAll(":", "-")}-${nativeSessionId}.jsonl`;
}

function responseItems(item: UniversalItem): ResponseItem[] {
  if (item.kind !== "message" && item.kind !== "tool_call" && item.kind !== "tool_result") return [];
  return item.content.flatMap((part) => responseItem(part, item.role === "user" ? "user" : "assistant"));
}

function responseItem(part: ContentPart, role: "user" | "assistant"): ResponseItem[] {
  switch (part.type) {
    case "text": {
      if (part.text.trim() === "") return [];
      const type = role === "user" ? "input_text" : "output_text";
      return [{ type: "message", role, content: [{ type, text: part.text }] }];
    }
    case "tool_call":
      return [{ type: "function_call", name: takenName(part.name), arguments: part.arguments, call_id: part.call_id }];
    case "tool_result":
      return [outputOf(part.call_id, part.output)];
    default:
      return [];
  }
}

function outputOf(callId: unknown, output: string): ResponseItem {
  return { type: "function_call_output", call_id: callId, output };
}

/** The model service wants a result for each call and a call for each result: what lacks the other is mended. */
function answered(items: readonly ResponseItem[]): ResponseItem[] {
  const results = new Map(items.filter(isOutput).map((item) => [item.call_id, item]));
  return items.flatMap((item) => {
    if (isOutput(item)) return [];
    if (item.type !== "function_call") return [item];
    return [item, results.get(item.call_id) ?? outputOf(item.call_id, UNANSWERED)];
  });
}

function isOutput(item: ResponseItem): boolean {
  return item.type === "function_call_output";
}
