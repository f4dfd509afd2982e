import type {
  SessionEndedData,
  Transcript,
  TranscriptError,
  TranscriptTurn,
  UniversalItem,
} from "@sandbox-agent/protocol";
import { type Entry, entriesOf, sameEntry } from "./entry.ts";

/** A line of the conversation's list. */
export type Row =
  | Entry
  | { readonly type: "error"; readonly key: string; readonly error: TranscriptError }
  | { readonly type: "turn"; readonly key: string; readonly turn: TranscriptTurn; readonly isWaiting: boolean }
  | { readonly type: "ended"; readonly key: string; readonly ended: SessionEndedData };

/** The rows of turns that are over, which nothing changes any more. */
const finished = new WeakMap<TranscriptTurn, readonly Row[]>();

/** The transcript as rows. Costs as much as its running turn is long, and rows that show the same keep their identity. */
export function rowsOf(transcript: Transcript, before: readonly Row[] = []): readonly Row[] {
  const rows: Row[] = [];
  let at = 0;
  for (const turn of transcript.turns) {
    const start = turn.itemIds.length === 0 ? at : indexOf(transcript.items, turn.itemIds[0] ?? "", at);
    push(rows, entriesOf(transcript.items.slice(at, start)));
    push(rows, turnRows(turn, transcript, start));
    at = start + turn.itemIds.length;
  }
  push(rows, entriesOf(transcript.items.slice(at)));
  push(rows, errorRows(transcript.errors, null));
  const { ended } = transcript.session;
  if (ended) rows.push({ type: "ended", key: "ended", ended });
  return reuse(before, rows);
}

function turnRows(turn: TranscriptTurn, { items, errors, status }: Transcript, start: number): readonly Row[] {
  const known = finished.get(turn);
  if (known) return known;
  const rows: Row[] = [
    ...entriesOf(items.slice(start, start + turn.itemIds.length)),
    ...errorRows(errors, turn.turnId),
    { type: "turn", key: turn.turnId, turn, isWaiting: turn.endedAt === null && status === "waiting" },
  ];
  if (turn.endedAt !== null) finished.set(turn, rows);
  return rows;
}

function errorRows(errors: readonly TranscriptError[], turnId: string | null): Row[] {
  const own = errors.filter((error) => error.turnId === turnId);
  return own.map((error) => ({ type: "error", key: `error-${error.sequence}`, error }));
}

function indexOf(items: readonly UniversalItem[], id: string, from: number): number {
  for (let at = from; at < items.length; at += 1) {
    if (items[at]?.item_id === id) return at;
  }
  return from;
}

function push(rows: Row[], more: readonly Row[]): void {
  for (const row of more) rows.push(row);
}

function reuse(before: readonly Row[], rows: readonly Row[]): readonly Row[] {
  let isSame = before.length === rows.length;
  const kept = rows.map((row, at) => {
    const old = before[at];
    if (old !== undefined && sameRow(old, row)) return old;
    isSame = false;
    return row;
  });
  return isSame ? before : kept;
}

function sameRow(a: Row, b: Row): boolean {
  if (a === b) return true;
  if (isEntry(a) && isEntry(b)) return sameEntry(a, b);
  if (a.type === "error" && b.type === "error") return a.error === b.error;
  if (a.type === "turn" && b.type === "turn") return a.turn === b.turn && a.isWaiting === b.isWaiting;
  return a.type === "ended" && b.type === "ended" && a.ended === b.ended;
}

function isEntry(row: Row): row is Entry {
  return row.type === "message" || row.type === "status" || row.type === "tools";
}
