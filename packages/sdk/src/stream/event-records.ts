import { eventRecordsType } from "@sandbox-agent-ts/protocol";
import { CorruptStream } from "./event-cursor.ts";
import { GatheredBytes } from "./gathered-bytes.ts";
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
  readonly #rest = new GatheredBytes();
  #head: Head | undefined;
  /** The parts of an event that has not ended. */
  readonly #parts = new GatheredBytes();

  constructor(maxBytes = MAX_FRAME_CHARS) {
    this.#maxBytes = maxBytes;
  }

  feed(bytes: Uint8Array): readonly EventLines[] {
    this.#rest.add(bytes);
    const whole: EventLines[] = [];
    for (;;) {
      this.#head ??= this.#takeHead();
      if (this.#head === undefined || this.#rest.length < this.#head.bytes) break;
      const record = this.#takeRecord(this.#head);
      this.#head = undefined;
      if (record) whole.push(record);
    }
    this.#rest.release();
    this.#parts.release();
    return whole;
  }

  #takeHead(): Head | undefined {
    const bytes = this.#rest.bytes;
    let start = 0;
    while (bytes[start] === newline) start += 1;
    const end = bytes.indexOf(newline, start);
    if ((end === -1 ? bytes.length : end) - start > maxHeadBytes) throw corrupt();
    this.#rest.take(end === -1 ? start : end + 1);
    return end === -1 ? undefined : this.#headOf(this.#text.decode(bytes.subarray(start, end)));
  }

  #headOf(line: string): Head {
    const [, first, count, lineBytes, payloadBytes] = /^(\d{1,15}) (\d{1,15}) (\d{1,15}) (\d{1,15})$/.exec(line) ?? [];
    if (first === undefined) throw corrupt();
    const bytes = Number(lineBytes) + Number(payloadBytes);
    if (bytes + this.#parts.length > this.#maxBytes)
      throw new CorruptStream(`A record of the event stream has more than ${this.#maxBytes} bytes.`);
    return { first: Number(first), count: Number(count), lineBytes: Number(lineBytes), bytes };
  }

  #takeRecord({ first, count, lineBytes, bytes }: Head): EventLines | undefined {
    const record = this.#rest.take(bytes);
    const payloads = record.subarray(lineBytes);
    let lines = record.subarray(0, lineBytes);
    if (count === 0 || this.#parts.length > 0) this.#parts.add(lines);
    if (count === 0) return undefined;
    if (this.#parts.length > 0) lines = this.#parts.take(this.#parts.length);
    return { first, count, lines: this.#text.decode(lines), payloads: this.#text.decode(payloads) };
  }
}

const corrupt = () =>
  new CorruptStream("What the server sent between two records of the event stream is no head of one.");
