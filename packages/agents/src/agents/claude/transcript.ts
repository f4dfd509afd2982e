import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import { readFileList } from "../../attachments/file-list.ts";
import type { ParseOptions, TranscriptFile } from "../../transcripts/transcript-dialect.ts";
import { takeAssistant } from "./convert/assistant-lines.ts";
import { createClaudeState } from "./convert/claude-state.ts";
import { Conversion } from "./convert/conversion.ts";
import { takeSystem } from "./convert/system-lines.ts";
import { closeCall } from "./convert/tool-calls.ts";
import { takeUser } from "./convert/tool-results.ts";
import { type TranscriptEntry, toAssistantLine, toSystemLine, toUserLine } from "./transcript-entry.ts";
import { userText } from "./transcript-user-text.ts";

/**
 * A conversation on disk → the items its stream would have told, the user's own messages among them. Pure. What only a
 * running program says (retries, changes of mode) is not there. A subagent's items follow the call that started it.
 *
 * The text is that of `projects/<directory>/<id>.jsonl`; companions are the files in `<id>/subagents/`.
 */
export function parseTranscript(text: string, options: ParseOptions = {}): UniversalItem[] {
  const to = new Conversion(
    createClaudeState({
      itemPrefix: options.itemPrefix ?? "item-",
      imagesDir: options.imagesDir ?? "images",
      callSetting: { directory: "/", mcpServers: [] },
      session: { agentMode: "build" },
    }),
  );
  const subagents = readSubagents(options.companions ?? []);
  for (const entry of readEntries(text)) takeEntry(to, entry, subagents);
  for (const [callId, call] of [...to.calls]) closeCall(to, callId, call, "failed");
  return to.drafts.flatMap((draft) => (draft.type === "item.completed" ? [draft.data.item] : []));
}

type Subagents = ReadonlyMap<string | undefined, readonly TranscriptEntry[]>;

function takeEntry(to: Conversion, entry: TranscriptEntry, subagents: Subagents, parent?: string): void {
  if (entry.isMeta || (entry.isSidechain && parent === undefined)) return;
  if (entry.type === "assistant") {
    takeAssistant(to, toAssistantLine(entry, parent));
    for (const callId of callsOf(entry)) {
      for (const inner of subagents.get(callId) ?? []) takeEntry(to, inner, subagents, callId);
    }
  }
  if (entry.type === "user") {
    const text = parent === undefined ? userText(entry) : undefined;
    if (text !== undefined) showUserMessage(to, text, entry.uuid);
    takeUser(to, toUserLine(entry, parent));
  }
  if (entry.type === "system" && entry.subtype === "compact_boundary") takeSystem(to, toSystemLine(entry));
}

function showUserMessage(to: Conversion, text: string, nativeId: string | undefined): void {
  to.showItem({ kind: "message", role: "user", content: readFileList(text), nativeId });
}

function callsOf({ message }: TranscriptEntry): string[] {
  const content = message?.content;
  return Array.isArray(content) ? content.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])) : [];
}

/** `agent-<id>.meta.json` names the call that started what is told in `agent-<id>.jsonl`. */
function readSubagents(companions: readonly TranscriptFile[]): Subagents {
  const texts = new Map(companions.map(({ path, text }) => [path, text]));
  const metas = companions.filter(({ path }) => path.endsWith(".meta.json"));
  return new Map(
    metas.map(({ path, text }) => [
      readEntries(text.replaceAll("\n", " "))[0]?.toolUseId,
      readEntries(texts.get(path.replace(/\.meta\.json$/, ".jsonl")) ?? ""),
    ]),
  );
}

/** A line torn by a crash is left out. */
function readEntries(text: string): TranscriptEntry[] {
  return text.split("\n").flatMap((line) => {
    try {
      const entry: unknown = line === "" ? null : JSON.parse(line);
      return typeof entry === "object" && entry !== null ? [entry as TranscriptEntry] : [];
    } catch {
      return [];
    }
  });
}
