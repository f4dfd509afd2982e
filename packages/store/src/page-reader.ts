import { SandboxError } from "@sandbox-agent-ts/protocol";
import { EventChunk } from "./event-chunk.ts";
import type { EventPage, EventStore } from "./event-store.ts";
import { endOfRawLines, lastRawSequence, parseRawLines, rawSequenceOf } from "./raw-lines.ts";
import { withRaw } from "./with-raw.ts";

/** Without the agents' own payloads, with each in its event, or with all beside the events; very long ones are always in theirs. */
export type WithPayloads = boolean | "beside";

/** One read of the store, and what a reader that stopped reading may hold. */
const pageBytes = 64 * 1024;
/** Events and payloads that are longer come in parts. */
const maxLineBytes = 1024 * 1024;
const prefixBytes = 64;

/** Reads a log from a sequence on, page by page. What it gives is bounded, however long events and payloads are. */
export class PageReader {
  readonly #store: Pick<EventStore, "read" | "readRaw">;
  readonly #sessionId: string;
  readonly #raw: WithPayloads;
  #after: number;
  /** Where in the store it goes on, if that is known. */
  #position: number | undefined;
  /** Where in the journal of payloads it goes on, inside of one. */
  #rawPosition: number | undefined;
  /** Where in it the payloads of the events behind `after` begin, if that is known. */
  #payloadsAt: { readonly after: number; readonly position: number } | undefined;
  #isInside = false;

  constructor(store: Pick<EventStore, "read" | "readRaw">, sessionId: string, after: number, raw: WithPayloads) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#after = after;
    this.#raw = raw;
  }

  /** The last event that was given whole. */
  get after(): number {
    return this.#after;
  }

  /** Whether a part of the next event was given. */
  get isInside(): boolean {
    return this.#isInside;
  }

  /** Go on behind an event that the reader has from elsewhere. */
  skipTo(sequence: number): void {
    this.#after = sequence;
    this.#position = undefined;
  }

  /** The next events up to `through`, or the next part of one. There must be some. */
  async next(through: number): Promise<EventChunk> {
    if (this.#rawPosition !== undefined) return this.#rawPart(this.#rawPosition);
    const page = await this.#store.read(this.#sessionId, this.#after, {
      maxBytes: pageBytes,
      maxEvents: through - this.#after,
      maxLineBytes,
      isInside: this.#isInside,
      ...(this.#position === undefined ? {} : { position: this.#position }),
    });
    if (page.lines.length === 0) throw missingEvents(this.#sessionId, this.#after);
    const chunk = this.#chunk(page);
    if (this.#raw && chunk.part?.ends !== false) return this.#withPayloads(chunk, page);
    return this.#take(chunk, page.next);
  }

  #chunk({ first, count, lines }: EventPage): EventChunk {
    const isWhole = count > 0 && !this.#isInside;
    const part = isWhole ? undefined : { begins: !this.#isInside, ends: count > 0 };
    return new EventChunk(first, Math.max(1, count), lines, "latin1", { part });
  }

  #take(chunk: EventChunk, next: number | undefined): EventChunk {
    this.#isInside = chunk.part?.ends === false;
    this.#position = next;
    if (!this.#isInside) this.#after = chunk.last;
    return chunk;
  }

  /** Put in as many payloads as fit into a page; events behind them come later. */
  async #withPayloads(chunk: EventChunk, page: EventPage): Promise<EventChunk> {
    const known = this.#payloadsAt?.after === chunk.first - 1 ? this.#payloadsAt.position : undefined;
    this.#payloadsAt = undefined;
    const raw = await this.#store.readRaw(this.#sessionId, chunk.first - 1, {
      maxBytes: pageBytes,
      maxEvents: Number.POSITIVE_INFINITY,
      maxLineBytes,
      ...(known === undefined ? {} : { position: known }),
    });
    const text = raw.lines.toString("latin1");
    if (raw.count === 0 && text !== "") return this.#beforeLong(chunk, page, text, raw.next!);
    const end = endOfRawLines(text, chunk.last);
    const payloads = text.slice(0, end);
    const isCovered = end === 0 || raw.isEnd || end < text.length;
    const covered = isCovered ? chunk.last : (lastRawSequence(payloads) ?? chunk.last);
    if (chunk.part) return this.#take(endWithRaw(chunk, payloads), page.next);
    const kept = chunk.between(chunk.first - 1, covered);
    if (raw.next !== undefined && end > 0)
      this.#payloadsAt = { after: kept.last, position: raw.next - text.length + end };
    return this.#take(this.#join(kept, payloads), kept === chunk ? page.next : undefined);
  }

  #join(chunk: EventChunk, payloads: string): EventChunk {
    return this.#raw === "beside" ? chunk.beside(payloads) : withRaw(chunk, new Map(parseRawLines(payloads)));
  }

  /** The next payload is a long one: first come the events before it, then its own event, and the payload in parts. */
  #beforeLong(chunk: EventChunk, page: EventPage, text: string, next: number): EventChunk {
    const sequence = rawSequenceOf(text.slice(0, prefixBytes)) ?? Number.POSITIVE_INFINITY;
    if (sequence > chunk.last) return this.#take(chunk, page.next);
    if (sequence > chunk.first) return this.#take(chunk.between(chunk.first - 1, sequence - 1), undefined);
    const { text: event } = chunk.between(chunk.first - 1, chunk.first);
    const payload = text.slice(text.indexOf(',"raw":'));
    this.#isInside = true;
    this.#rawPosition = next;
    const part = { begins: chunk.part === undefined, ends: false };
    return new EventChunk(chunk.first, 1, `${event.slice(0, -2)}${payload}`, "latin1", { part });
  }

  async #rawPart(position: number): Promise<EventChunk> {
    const page = await this.#store.readRaw(this.#sessionId, this.#after, {
      maxBytes: pageBytes,
      maxEvents: 1,
      maxLineBytes,
      position,
      isInside: true,
    });
    if (page.lines.length === 0) throw missingEvents(this.#sessionId, this.#after);
    const sequence = this.#after + 1;
    const ends = page.count > 0;
    this.#rawPosition = ends ? undefined : page.next;
    this.#isInside = !ends;
    if (ends) this.skipTo(sequence);
    return new EventChunk(sequence, 1, page.lines, "latin1", {
      part: { begins: false, ends },
    });
  }
}

/** The last part of a long event, with its payload. */
function endWithRaw(chunk: EventChunk, payloads: string): EventChunk {
  const payload = new Map(parseRawLines(payloads)).get(chunk.first);
  if (payload === undefined) return chunk;
  const text = `${chunk.text.slice(0, -2)},"raw":${payload}}\n`;
  return new EventChunk(chunk.first, 1, text, chunk.encoding, { part: chunk.part });
}

function missingEvents(sessionId: string, after: number): SandboxError {
  const sentence = `The log of session "${sessionId}" ends at event ${after}, although there were more. `;
  return new SandboxError("internal_error", `${sentence}Restart the daemon to go on with what is left.`, { sessionId });
}
