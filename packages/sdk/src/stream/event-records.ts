import { eventRecordsType } from "@sandbox-agent-ts/protocol";
import { CorruptStream } from "./event-cursor.ts";
import { MAX_FRAME_CHARS, type SseFrame, sseParser } from "./read-sse.ts";
import type { StreamParser } from "./read-stream.ts";

/** Events that follow upon each other, as they were sent. */
export interface EventLines {
  /** As the stream numbers it; who does not trust the server compares it with that of the event. */
  readonly first: number;
  readonly count: number;
  /** One line of JSON each, with its newline. */
  readonly lines: string;
  /** The agents' own payloads of events that do not have them in themselves: lines `{"sequence":N,"raw":…}`. */
  readonly payloads: string;
}

/** Of a server that knows no records its server-sent events. */
export function recordsOrSse(type: string): StreamParser<EventLines | SseFrame> | undefined {
  return type.startsWith(eventRecordsType) ? new RecordParser() : sseParser(type);
}

const newline = 10;
/** Four numbers of fifteen digits. */
const maxHeadBytes = 64;

/** Bytes of one record, or of one very long event in several. */
interface Head {
  readonly first: number;
  readonly count: number;
  readonly lineBytes: number;
  readonly bytes: number;
}

/** Records of a log (`eventRecordsType`). They are as long as the server says, up to `maxBytes`. */
export class RecordParser implements StreamParser<EventLines> {
  readonly #maxBytes: number;
  readonly #text = new TextDecoder("utf-8", { ignoreBOM: true });
  /** What has arrived of the next record, or of its head. */
  #rest: Uint8Array[] = [];
  #restBytes = 0;
  #head: Head | undefined;
  /** The parts of an event that has not ended. */
  #parts: Uint8Array[] = [];
  #partBytes = 0;

  constructor(maxBytes = MAX_FRAME_CHARS) {
    this.#maxBytes = maxBytes;
  }

  feed(bytes: Uint8Array): readonly EventLines[] {
    this.#rest.push(bytes);
    this.#restBytes += bytes.length;
    const whole: EventLines[] = [];
    for (;;) {
      this.#head ??= this.#takeHead();
      if (this.#head === undefined || this.#restBytes < this.#head.bytes) return whole;
      const record = this.#takeRecord(this.#head);
      this.#head = undefined;
      if (record) whole.push(record);
    }
  }

  #takeHead(): Head | undefined {
    for (;;) {
      const bytes = this.#joined();
      const end = bytes.indexOf(newline);
      if (end > maxHeadBytes || (end === -1 && bytes.length > maxHeadBytes)) throw corrupt();
      if (end === -1) return undefined;
      this.#take(end + 1);
      if (end > 0) return this.#headOf(this.#text.decode(bytes.subarray(0, end)));
    }
  }

  #headOf(line: string): Head {
    const [, first, count, lineBytes, payloadBytes] = /^(\d{1,15}) (\d{1,15}) (\d{1,15}) (\d{1,15})$/.exec(line) ?? [];
    if (first === undefined) throw corrupt();
    const bytes = Number(lineBytes) + Number(payloadBytes);
    if (bytes + this.#partBytes > this.#maxBytes)
      throw new CorruptStream(`A record of the event stream has more than ${this.#maxBytes} bytes.`);
    return { first: Number(first), count: Number(count), lineBytes: Number(lineBytes), bytes };
  }

  #takeRecord({ first, count, lineBytes, bytes }: Head): EventLines | undefined {
    const record = this.#take(bytes);
    const lines = record.subarray(0, lineBytes);
    if (count === 0) {
      this.#parts.push(lines);
      this.#partBytes += lineBytes;
      return undefined;
    }
    const whole = this.#parts.length === 0 ? lines : joined([...this.#parts, lines]);
    this.#parts = [];
    this.#partBytes = 0;
    const payloads = record.subarray(lineBytes);
    return { first, count, lines: this.#text.decode(whole), payloads: this.#text.decode(payloads) };
  }

  #joined(): Uint8Array {
    if (this.#rest.length > 1) this.#rest = [joined(this.#rest)];
    return this.#rest[0] ?? new Uint8Array();
  }

  #take(count: number): Uint8Array {
    const bytes = this.#joined();
    this.#rest = [bytes.subarray(count)];
    this.#restBytes -= count;
    return bytes.subarray(0, count);
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

const corrupt = () =>
  new CorruptStream("What the server sent between two records of the event stream is no head of one.");
