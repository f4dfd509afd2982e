import type { SessionEndedData, Transcript, TranscriptTurn, UniversalItem } from "@sandbox-agent-ts/protocol";
import { type Entry, entriesOf, sameEntry } from "./entry.ts";

/** A line of the conversation's list. */
export type Row =
  | Entry
  | {
      readonly type: "turn";
      readonly key: string;
      readonly turn: TranscriptTurn;
      readonly isWaiting: boolean;
      /** An error in it has said already why it failed. */
      readonly isExplained: boolean;
    }
  | { readonly type: "ended"; readonly key: string; readonly ended: SessionEndedData };

/** The rows of turns that are over, which nothing changes any more. */
const finished = new WeakMap<TranscriptTurn, readonly Row[]>();

/** The transcript as rows. Costs as much as its running turn is long, and rows that show the same keep their identity. */
export function rowsOf(transcript: Transcript, before: readonly Row[] = []): readonly Row[] {
  const rows: Row[] = [];
  const between = transcript.errors.filter(({ turnId }) => turnId === null);
  const errorsUpTo = (index: number) =>
    between.splice(
      0,
      countWhile(between, (error) => error.itemIndex <= index),
    );
  let at = 0;
  for (const turn of transcript.turns) {
    const start = turn.itemIds.length === 0 ? at : indexOf(transcript.items, turn.itemIds[0] ?? "", at);
    push(rows, entriesOf(transcript.items.slice(at, start), errorsUpTo(start), at));
    push(rows, turnRows(turn, transcript, start));
    at = start + turn.itemIds.length;
  }
  push(rows, entriesOf(transcript.items.slice(at), between, at));
  const { ended } = transcript.session;
  if (ended) rows.push({ type: "ended", key: "ended", ended });
  return reuse(before, rows);
}

function turnRows(turn: TranscriptTurn, { items, errors, status }: Transcript, start: number): readonly Row[] {
  const known = finished.get(turn);
  if (known) return known;
  const own = errors.filter(({ turnId }) => turnId === turn.turnId);
  const entries = entriesOf(items.slice(start, start + turn.itemIds.length), own, start);
  const isWaiting = turn.endedAt === null && status === "waiting";
  const isExplained = entries.at(-1)?.type === "error" || own.some(({ message }) => message === turn.message);
  const rows: Row[] = [...entries, { type: "turn", key: turn.turnId, turn, isWaiting, isExplained }];
  if (turn.endedAt !== null) finished.set(turn, rows);
  return rows;
}

function countWhile<T>(list: readonly T[], isCounted: (value: T) => boolean): number {
  const end = list.findIndex((value) => !isCounted(value));
  return end < 0 ? list.length : end;
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
  if (a.type === "turn" && b.type === "turn")
    return a.turn === b.turn && a.isWaiting === b.isWaiting && a.isExplained === b.isExplained;
  return a.type === "ended" && b.type === "ended" && a.ended === b.ended;
}

function isEntry(row: Row): row is Entry {
  return row.type !== "turn" && row.type !== "ended";
}
