import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { PageRequest, RawPage } from "@sandbox-agent-ts/store";
import { packLines, unpackLines } from "./packed-lines.ts";
import { query, type Steps } from "./steps.ts";

const newline = 10;
/** What one row holds at most: a page from anywhere in it costs no more than reading it. */
const rowBytes = 64 * 1024;
/** The end of a line, `}` and its newline, is never torn apart. */
const endBytes = 2;
/** How many rows are read at first, to see how long they are, and at most at once. */
const firstRows = 2;
const maxRows = 64;

/** A table of numbered lines, in rows of whole ones; a line longer than a row is alone, in parts. */
export interface LogTable {
  readonly name: "events" | "payloads";
  /** The number of the line that begins at `start`, and is the `index`th of those that begin with `first`. */
  sequenceOf(lines: Buffer, start: number, first: number, index: number): number;
}

interface RowToKeep {
  readonly first: number;
  readonly last: number;
  readonly part: number;
  readonly lineBytes: number;
  /** How many lines end in it. */
  readonly count: number;
  readonly lines: Buffer;
}

/** Keep lines that begin with the number `first`; answers how many there are. */
export function* keepLines(table: LogTable, session: number, first: number, text: string): Steps<number> {
  let count = 0;
  for (const { lines, count: more, ...row } of rowsOf(table, first, text)) {
    count += more;
    yield* query(
      `INSERT INTO ${table.name} (session, first, part, last, line_bytes, lines) VALUES (?, ?, ?, ?, ?, ?)`,
      session,
      row.first,
      row.part,
      row.last,
      row.lineBytes,
      row.lineBytes === 0 ? packLines(lines) : lines,
    );
  }
  return count;
}

function* rowsOf(table: LogTable, firstOfAll: number, text: string): Generator<RowToKeep> {
  const bytes = Buffer.from(text, "utf8");
  // Looking for a character in a string costs a fraction of looking for a byte in a buffer.
  const isAscii = bytes.length === text.length;
  const endOfLine = (start: number) => (isAscii ? text.indexOf("\n", start) : bytes.indexOf(newline, start)) + 1;
  const sequenceOf = (start: number, index: number) => table.sequenceOf(bytes, start, firstOfAll, index);
  let row: { start: number; lastStart: number; index: number; count: number } | undefined;
  const whole = ({ start, lastStart, index, count }: NonNullable<typeof row>, end: number): RowToKeep => ({
    first: sequenceOf(start, index),
    last: sequenceOf(lastStart, index + count - 1),
    part: 0,
    lineBytes: 0,
    count,
    lines: bytes.subarray(start, end),
  });
  for (let start = 0, index = 0; start < bytes.length; index++) {
    const end = endOfLine(start);
    if (end === 0) throw new SandboxError("internal_error", "The last line of a batch has no end.");
    if (row && end - row.start > rowBytes) {
      yield whole(row, start);
      row = undefined;
    }
    if (end - start > rowBytes) yield* partsOf(sequenceOf(start, index), bytes.subarray(start, end));
    else if (row) {
      row.lastStart = start;
      row.count += 1;
    } else row = { start, lastStart: start, index, count: 1 };
    start = end;
  }
  if (row) yield whole(row, bytes.length);
}

function* partsOf(sequence: number, line: Buffer): Generator<RowToKeep> {
  for (let part = 0, start = 0; start < line.length; part++) {
    const rest = line.length - start;
    const length = rest > rowBytes && rest < rowBytes + endBytes ? rowBytes - endBytes : Math.min(rest, rowBytes);
    const count = length === rest ? 1 : 0;
    const lines = line.subarray(start, start + length);
    yield { first: sequence, last: sequence, part, lineBytes: line.length, count, lines };
    start += length;
  }
}

interface Row {
  readonly first: number;
  readonly lines: Uint8Array;
  /** Of the whole line whose part it is, 0 for a row of whole lines. */
  readonly line_bytes: number;
}

/**
 * Whole lines with a number above `after`, as `EventStore.read` gives them. A line in parts is a page of its own, or
 * several: then `next` counts its bytes that were given.
 */
export function* readLines(table: LogTable, session: number, after: number, page: PageRequest): Steps<RawPage> {
  const select = `SELECT first, line_bytes, lines FROM ${table.name} WHERE session = ? AND`;
  let limit = firstRows;
  let rows = yield* query<Row>(
    `${select} last > ? AND first >= COALESCE((SELECT MAX(first) FROM ${table.name} WHERE session = ? AND first <= ?), 0)
      ORDER BY first, part LIMIT ?`,
    session,
    after,
    session,
    after + 1,
    limit,
  );
  const [head] = rows;
  if (head && head.line_bytes > 0) return yield* readLongLine(table, session, head, page);

  const found = new PageOfLines(table, after, page);
  while (true) {
    for (const row of rows) {
      if (row.line_bytes > 0 || !found.add(row)) return found.end(false);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return found.end(true);
    limit = found.rowsToCome;
    rows = yield* query<Row>(`${select} first > ? ORDER BY first, part LIMIT ?`, session, last.first, limit);
  }
}

/** Takes rows of whole lines until it is full. */
class PageOfLines {
  readonly #table: LogTable;
  readonly #after: number;
  readonly #page: PageRequest;
  readonly #lines: Buffer[] = [];
  #rows = 0;
  #count = 0;
  #bytes = 0;

  constructor(table: LogTable, after: number, page: PageRequest) {
    this.#table = table;
    this.#after = after;
    this.#page = page;
  }

  /** About as many rows as fit behind those that are there. */
  get rowsToCome(): number {
    const wanted = ((this.#page.maxBytes - this.#bytes) * this.#rows) / this.#bytes;
    return Math.min(maxRows, Math.max(1, Math.ceil(wanted)));
  }

  /** Take the lines of a row that are wanted and fit; the very first one always does. False when not all of them do. */
  add({ first, lines: packed }: Row): boolean {
    const lines = unpackLines(packed);
    let [from, at, index] = [0, 0, 0];
    for (; at < lines.length; index++) {
      const end = lines.indexOf(newline, at) + 1;
      const isBefore = this.#count === 0 && this.#table.sequenceOf(lines, at, first, index) <= this.#after;
      if (isBefore) from = end;
      else if (!this.#fits(end - from)) break;
      else this.#count += 1;
      at = end;
    }
    this.#lines.push(lines.subarray(from, at));
    this.#bytes += at - from;
    this.#rows += 1;
    return at === lines.length && this.#fits(1);
  }

  #fits(bytes: number): boolean {
    if (this.#count === 0) return true;
    return this.#count < this.#page.maxEvents && this.#bytes + bytes <= this.#page.maxBytes;
  }

  end(isEnd: boolean): RawPage {
    return { lines: Buffer.concat(this.#lines), count: this.#count, isEnd };
  }
}

function* readLongLine(
  table: LogTable,
  session: number,
  { first, line_bytes }: Row,
  { maxLineBytes = Number.POSITIVE_INFINITY, position = 0 }: PageRequest,
): Steps<RawPage> {
  const select = `SELECT lines FROM ${table.name} WHERE session = ? AND first = ?`;
  if (line_bytes <= maxLineBytes) {
    const parts = yield* query<Row>(`${select} ORDER BY part`, session, first);
    return { lines: Buffer.concat(parts.map(({ lines }) => lines)), count: 1, isEnd: false };
  }
  const [part] = yield* query<Row>(`${select} AND part = ?`, session, first, Math.ceil(position / rowBytes));
  const lines = Buffer.from(part!.lines);
  const next = position + lines.length;
  if (next === line_bytes) return { lines, count: 1, isEnd: false };
  return { lines, count: 0, next, isEnd: false };
}
