/** How many numbers are kept of a delta. */
const width = 5;

/** Where the parts of a delta are in the lines and payloads that it came with. */
export interface DeltaPlaces {
  /** Where begins what is the same under any number. */
  readonly body: number;
  /** The string in JSON that is its delta, with its quotes. */
  readonly start: number;
  readonly end: number;
  /** Its payload; both are 0 where it has none. */
  readonly payloadStart: number;
  readonly payloadEnd: number;
}

/**
 * Deltas of one item that came together and differ in nothing but number, time, text and payload. Nothing is made of each
 * before it is written.
 */
export class DeltaRun {
  readonly #lines: string;
  readonly #payloads: string;
  readonly #places: number[] = [];
  /** Characters of all of them. */
  length = 0;

  constructor(lines: string, payloads: string) {
    this.#lines = lines;
    this.#payloads = payloads;
  }

  add({ body, start, end, payloadStart, payloadEnd }: DeltaPlaces): void {
    this.#places.push(body, start, end, payloadStart, payloadEnd);
    this.length += end - body + payloadEnd - payloadStart;
  }

  get count(): number {
    return this.#places.length / width;
  }

  /** What they say, joined. */
  get delta(): string {
    let all = "";
    for (let n = 0; n < this.count; n++) all += this.deltaAt(n);
    return all;
  }

  deltaAt(index: number): string {
    const [start, end] = [this.#places[index * width + 1]!, this.#places[index * width + 2]!];
    const text = this.#lines.slice(start + 1, end - 1);
    // Without an escape it is what it says.
    return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
  }

  /** Its line from behind the number on, without the payload. */
  bodyAt(index: number): string {
    return `${this.#lines.slice(this.#places[index * width], this.#places[index * width + 2])}}}`;
  }

  payloadAt(index: number): string | undefined {
    const [start, end] = [this.#places[index * width + 3]!, this.#places[index * width + 4]!];
    return end === 0 ? undefined : this.#payloads.slice(start, end);
  }
}
