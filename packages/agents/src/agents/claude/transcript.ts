import type { ItemTold, UniversalItem } from "@sandbox-agent-ts/protocol";
import { readFileList } from "../../attachments/file-list.ts";
import { completedOf, timeOf, toldItems } from "../../transcripts/told-items.ts";
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
 * A conversation on disk → what its stream would have told, the user's own messages among it. Pure. What only a running
 * program says (retries, changes of mode) is not there. What a subagent did follows the call that started it.
 *
 * The text is that of `projects/<directory>/<id>.jsonl`; companions are the files in `<id>/subagents/`.
 */
export function readTranscript(text: string, options: ParseOptions = {}): ItemTold[] {
  const to = new Conversion(
    createClaudeState({
      itemPrefix: options.itemPrefix ?? "item-",
      imagesDir: options.imagesDir ?? "images",
      callSetting: { directory: "/", mcpServers: [] },
      session: { agentMode: "build" },
    }),
  );
  const entries = inOrder(readEntries(text));
  const reading = { to, subagents: readSubagents(entries, options.companions ?? []), told: [] };
  for (const entry of entries) takeEntry(reading, entry);
  for (const [callId, call] of [...to.calls]) closeCall(to, callId, call, "failed");
  tell(reading, null);
  return reading.told;
}

export function parseTranscript(text: string, options: ParseOptions = {}): UniversalItem[] {
  return completedOf(readTranscript(text, options));
}

type Subagents = ReadonlyMap<string | undefined, readonly TranscriptEntry[]>;

interface Reading {
  readonly to: Conversion;
  readonly subagents: Subagents;
  readonly told: ItemTold[];
}

/** What was converted since the last call was told at this time. */
function tell({ to, told }: Reading, time: string | null): void {
  told.push(...toldItems(to.drafts.splice(0), time));
}

function takeEntry(reading: Reading, entry: TranscriptEntry, parent?: string): void {
  if (entry.isMeta || (entry.isSidechain && parent === undefined)) return;
  const { to, subagents } = reading;
  if (entry.type === "assistant") takeAssistant(to, toAssistantLine(entry, parent));
  if (entry.type === "user") {
    const text = parent === undefined ? userText(entry) : undefined;
    if (text !== undefined) showUserMessage(to, text, entry.uuid);
    takeUser(to, toUserLine(entry, parent));
  }
  if (entry.type === "system" && entry.subtype === "compact_boundary") takeSystem(to, toSystemLine(entry));
  tell(reading, timeOf(entry.timestamp));
  if (entry.type !== "assistant") return;
  for (const callId of callsOf(entry)) {
    for (const inner of subagents.get(callId) ?? []) takeEntry(reading, inner, callId);
  }
}

function showUserMessage(to: Conversion, text: string, nativeId: string | undefined): void {
  to.showItem({ kind: "message", role: "user", content: readFileList(text), nativeId });
}

function callsOf({ message }: TranscriptEntry): string[] {
  const content = message?.content;
  return Array.isArray(content) ? content.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])) : [];
}

/**
 * `agent-<id>.meta.json` names the call that started what is told in `agent-<id>.jsonl`; without it, the call's result names
 * the agent, as its lines do.
 */
function readSubagents(main: readonly TranscriptEntry[], companions: readonly TranscriptFile[]): Subagents {
  const texts = new Map(companions.map(({ path, text }) => [path, text]));
  const told = companions.flatMap(({ path, text }) =>
    path.endsWith(".meta.json") ? [] : [{ path, entries: readEntries(text) }],
  );
  const calls = new Map([...main, ...told.flatMap(({ entries }) => entries)].flatMap(startedAgents));
  return new Map(
    told.map(({ path, entries }) => {
      const meta = readEntries((texts.get(path.replace(/\.jsonl$/, ".meta.json")) ?? "").replaceAll("\n", " "))[0];
      return [meta?.toolUseId ?? calls.get(entries[0]?.agentId ?? ""), entries];
    }),
  );
}

/** The agents that the results in this entry tell of, with their calls. */
function startedAgents({ message, toolUseResult }: TranscriptEntry): [agentId: string, callId: string][] {
  const { agentId } = (toolUseResult ?? {}) as { agentId?: unknown };
  const content = Array.isArray(message?.content) ? message.content : [];
  if (typeof agentId !== "string") return [];
  return content.flatMap((block) => (block.type === "tool_result" ? [[agentId, block.tool_use_id]] : []));
}

/** The command to compact the conversation is written down behind what became of it. */
function inOrder(entries: readonly TranscriptEntry[]): TranscriptEntry[] {
  const isCommand = (entry: TranscriptEntry) => entry.type === "user" && /^\/compact\b/.test(userText(entry) ?? "");
  const held: TranscriptEntry[] = [];
  const ordered = entries.flatMap((entry) => {
    const isAsked = entry.subtype === "compact_boundary" && entry.compactMetadata?.trigger === "manual";
    if (isAsked) held.push(entry);
    if (isAsked) return [];
    return isCommand(entry) ? [entry, ...held.splice(0)] : [entry];
  });
  return [...ordered, ...held];
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
