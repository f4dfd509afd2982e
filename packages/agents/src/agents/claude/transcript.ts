import type { UniversalItem } from "@sandbox-agent/protocol";
import { takeAssistant } from "./convert/assistant-lines.ts";
import { createClaudeState } from "./convert/claude-state.ts";
import { Conversion } from "./convert/conversion.ts";
import { takeSystem } from "./convert/system-lines.ts";
import { closeCall } from "./convert/tool-calls.ts";
import { takeUser } from "./convert/tool-results.ts";
import { type TranscriptEntry, toAssistantLine, toSystemLine, toUserLine } from "./transcript-entry.ts";
import { userText } from "./transcript-user-text.ts";

/** What Claude Code keeps of a conversation: `projects/<directory>/<id>.jsonl` and `<id>/subagents/agent-*`. */
export interface TranscriptFiles {
  readonly main: string;
  readonly subagents?: readonly SubagentFiles[];
}

interface SubagentFiles {
  /** The text of `agent-<id>.meta.json`, which names the call that started it. */
  readonly meta: string;
  /** The text of `agent-<id>.jsonl`. */
  readonly entries: string;
}

export interface TranscriptOptions {
  readonly itemPrefix?: string;
  /** Where images are said to lie that exist only inside of the transcript. */
  readonly imagesDir?: string;
}

/**
 * A conversation on disk → the items its stream would have told, the user's own messages among them. Pure. What only a
 * running program says (retries, changes of mode) is not there. A subagent's items follow the call that started it.
 */
export function parseTranscript(files: TranscriptFiles, options: TranscriptOptions = {}): UniversalItem[] {
  const to = new Conversion(createClaudeState(options.itemPrefix ?? "item-", options.imagesDir ?? "images"));
  const subagents = new Map(
    (files.subagents ?? []).map(({ meta, entries }) => [startedBy(meta), readEntries(entries)]),
  );
  for (const entry of readEntries(files.main)) takeEntry(to, entry, subagents);
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
  to.showItem({ kind: "message", role: "user", content: [{ type: "text", text }], nativeId });
}

function callsOf({ message }: TranscriptEntry): string[] {
  const content = message?.content;
  return Array.isArray(content) ? content.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])) : [];
}

function startedBy(meta: string): string | undefined {
  return (JSON.parse(meta) as { toolUseId?: string }).toolUseId;
}

/** A line torn by a crash is left out. */
function readEntries(text: string): TranscriptEntry[] {
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as TranscriptEntry];
    } catch {
      return [];
    }
  });
}
