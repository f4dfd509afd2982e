import { endOfRawLines } from "./raw-lines.ts";

/**
 * Consecutive events as text, one line of JSON each with its newline, on the way to readers. What is read back from a store
 * is text in `latin1`, which is its bytes untouched; text that was just made is `utf8`.
 */
export class EventChunk {
  readonly first: number;
  readonly count: number;
  readonly encoding: "utf8" | "latin1";
  /** Where one very long event comes in parts, this is one of them: the first, the last, or one between. */
  readonly part: EventPart | undefined;
  /** The agents' own payloads beside the events, as lines of their journal and in the same encoding. */
  readonly payloads: string;
  readonly #content: string | Buffer;
  #text: string | undefined;
  #frames: Buffer | undefined;

  constructor(
    first: number,
    count: number,
    content: string | Buffer,
    encoding: "utf8" | "latin1",
    { part, payloads = "" }: { readonly part?: EventPart | undefined; readonly payloads?: string } = {},
  ) {
    this.first = first;
    this.count = count;
    this.#content = content;
    this.encoding = encoding;
    this.part = part;
    this.payloads = payloads;
  }

  get last(): number {
    return this.first + this.count - 1;
  }

  get text(): string {
    this.#text ??= typeof this.#content === "string" ? this.#content : this.#content.toString(this.encoding);
    return this.#text;
  }

  get bytes(): Buffer {
    return typeof this.#content === "string" ? Buffer.from(this.#content, this.encoding) : this.#content;
  }

  /** The same events with payloads beside them. */
  beside(payloads: string): EventChunk {
    return new EventChunk(this.first, this.count, this.#content, this.encoding, { payloads });
  }

  /** The events as server-sent events. Made once, whoever asks and however many do. */
  get frames(): Buffer {
    const { part, text, first } = this;
    this.#frames ??= Buffer.from(part ? frameOfPart(text, first, part) : frame(text, first), this.encoding);
    return this.#frames;
  }

  /**
   * The events and the payloads beside them, for who keeps them: a line that says the first number, how many events end in it,
   * and the bytes of both; then these. Of an event in parts only the last one has it ended.
   */
  get record(): Buffer {
    const { first, count, part, bytes, encoding } = this;
    const payloads = Buffer.from(this.payloads, encoding);
    const ended = part?.ends === false ? 0 : count;
    const head = Buffer.from(`${first} ${ended} ${bytes.length} ${payloads.length}\n`, "latin1");
    return Buffer.concat([head, bytes, payloads]);
  }

  /** The events after `after` up to `through`; the chunk itself when that is all of it. */
  between(after: number, through: number): EventChunk {
    if (this.part || (after < this.first && through >= this.last)) return this;
    const from = Math.max(after + 1, this.first);
    const to = Math.min(through, this.last);
    if (to < from) return new EventChunk(from, 0, "", this.encoding);
    const start = nthLine(this.text, 0, from - this.first);
    const end = nthLine(this.text, start, to - from + 1);
    const payloads = this.payloads.slice(endOfRawLines(this.payloads, from - 1), endOfRawLines(this.payloads, to));
    return new EventChunk(from, to - from + 1, this.text.slice(start, end), this.encoding, { payloads });
  }
}

export interface EventPart {
  readonly begins: boolean;
  readonly ends: boolean;
}

function frameOfPart(text: string, sequence: number, { begins, ends }: EventPart): string {
  return `${begins ? `id: ${sequence}\ndata: ` : ""}${text}${ends ? "\n" : ""}`;
}

function frame(text: string, first: number): string {
  let frames = "";
  let sequence = first;
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    frames += `id: ${sequence}\ndata: ${text.slice(start, end)}\n\n`;
    sequence += 1;
    start = end + 1;
  }
  return frames;
}

/** Where the line begins that is `lines` further than the one at `start`. */
function nthLine(text: string, start: number, lines: number): number {
  let at = start;
  for (let n = 0; n < lines; n++) at = text.indexOf("\n", at) + 1;
  return at;
}
