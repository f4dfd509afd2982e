import { createHash } from "node:crypto";
import { type TranscriptDialect, transcriptDialects } from "@sandbox-agent-ts/agents/transcripts";
import {
  daemonEvent,
  SandboxError,
  turnEnded,
  type UniversalEvent,
  type UniversalItem,
} from "@sandbox-agent-ts/protocol";
import { type LogEntry, ownEntry } from "../mirror/encode-event.ts";
import type { SubagentTranscript } from "./persistence-adapter.ts";
import { byConversation, placeSubagent } from "./subagent-transcripts.ts";

export interface Told {
  readonly item: UniversalItem;
  readonly time: string | null;
}

function dialectOf(agent: string): TranscriptDialect {
  const dialects: Readonly<Record<string, TranscriptDialect>> = transcriptDialects;
  return Object.hasOwn(dialects, agent) ? dialects[agent]! : {};
}

interface TranscribedSession {
  readonly sessionId: string;
  readonly agent: string;
  readonly directory: string;
}

/** What is kept of a session's conversation: the main one, and beside it what each subagent did, its events one a line. */
export function transcriptsOf(
  session: TranscribedSession,
  events: readonly UniversalEvent[],
): { readonly main: string; readonly subagents: readonly SubagentTranscript[] } {
  const { main, subagents } = byConversation(events);
  const transcripts = [...subagents].map(([id, own]) => ({ id, transcript: eventLines(own) }));
  return { main: transcriptText(session, main), subagents: transcripts };
}

/**
 * A conversation as its agent keeps it, where the agent has a form of its own for that in which nothing said is lost to who
 * reads it again; else its events, one a line. The same conversation gives the same text.
 */
function transcriptText(session: TranscribedSession, events: readonly UniversalEvent[]): string {
  if (!events.some(({ type }) => type === "item.completed")) return "";
  const lines = eventLines(events);
  const { writeTranscript: write, readTranscript: read } = dialectOf(session.agent);
  if (!write || !read) return lines;
  let count = 0;
  const nextUuid = () => {
    count += 1;
    return uuidOf(`${session.sessionId} ${count}`);
  };
  const about = { nativeSessionId: nextUuid(), directory: session.directory, time: events[0]!.time, nextUuid };
  const { text } = write(events, about);
  return messagesIn(toldBy(session.agent, text)) === messagesIn(linesOf(lines)) ? text : lines;
}

/** The log of a conversation that a transcript tells; one that nothing can be read from is refused, not taken for empty. */
export function entriesOfTranscript(
  agent: string,
  text: string,
  createdAt: number,
  subagents: readonly SubagentTranscript[] = [],
): LogEntry[] {
  const told = text.trim() === "" ? [] : toldBy(agent, text, subagents);
  if (told.length === 0 && text.trim() !== "") {
    const sentence = `The stored transcript is none that ${agent} writes, so the session cannot be loaded from it.`;
    throw new SandboxError("internal_error", sentence, { agent });
  }
  const entries: LogEntry[] = [];
  let time = new Date(createdAt).toISOString();
  let turnId: string | undefined;
  const add = (draft: Parameters<typeof ownEntry>[0]) => entries.push({ ...ownEntry(draft, null), time });
  const endTurn = () => turnId !== undefined && add(turnEnded(turnId, { reason: "completed" }));
  add(daemonEvent({ type: "session.started", data: {} }));
  for (const { item, time: at } of told) {
    const isMessage = item.kind === "message" && item.role === "user" && !item.parent_id;
    if (isMessage || turnId === undefined) {
      endTurn();
      turnId = `turn_${entries.length}`;
      time = at ?? time;
      add(daemonEvent({ type: "turn.started", data: { phase: "started", turn_id: turnId } }));
    }
    time = at ?? time;
    add(daemonEvent({ type: "item.started", data: { item: { ...item, status: "in_progress", content: [] } } }));
    const text = item.kind === "message" ? textOf(item) : "";
    if (text !== "") add(daemonEvent({ type: "item.delta", data: { item_id: item.item_id, delta: text } }));
    add(daemonEvent({ type: "item.completed", data: { item } }));
  }
  endTurn();
  return entries;
}

function textOf({ content }: UniversalItem): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function messagesIn(told: readonly Told[]): number {
  return told.filter(({ item }) => item.kind === "message" && item.role === "user").length;
}

/** What a stored conversation tells, in the agent's own form or as events, with what its subagents did. */
export function toldBy(agent: string, text: string, subagents: readonly SubagentTranscript[] = []): Told[] {
  const kept = subagents.map(({ id, transcript }) => ({ id, transcript, told: linesOf(transcript) }));
  const companions = kept.flatMap(({ id, transcript, told }) =>
    told.length > 0 ? [] : [{ path: companionPath(id), text: transcript }],
  );
  return kept.reduce((all, { id, told }) => placeSubagent(all, id, told), mainToldBy(agent, text, companions));
}

function mainToldBy(agent: string, text: string, companions: readonly { path: string; text: string }[]): Told[] {
  const told = dialectOf(agent).readTranscript?.(text, { companions }) ?? [];
  const native = told.flatMap(({ type, data, time }) =>
    type === "item.completed" ? [{ item: data.item, time: time ?? null }] : [],
  );
  return native.length > 0 ? native : linesOf(text);
}

export function companionPath(subagentId: string): string {
  return /\.jsonl?$/.test(subagentId) ? subagentId : `${subagentId}.jsonl`;
}

function eventLines(events: readonly UniversalEvent[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}

/** What lines of events tell; nothing where the text is something else. */
export function linesOf(text: string): Told[] {
  const told: Told[] = [];
  for (const line of text.split("\n")) {
    try {
      const event = JSON.parse(line) as UniversalEvent;
      if (event.type === "item.completed") told.push({ item: event.data.item, time: event.time });
    } catch {
      // Torn or foreign.
    }
  }
  return told;
}

function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
