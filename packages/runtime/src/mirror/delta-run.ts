/** A delta as it was sent, and where its parts are: places in `text`. */
export interface DeltaPlaces {
  /** The whole event, a line of JSON. */
  readonly text: string;
  /** Where begins what is the same under any number. */
  readonly body: number;
  /** The string in JSON that is its delta, with its quotes. */
  readonly start: number;
  readonly end: number;
  /** Where its payload begins, which ends before the last brace; 0 where it has none. */
  readonly payload: number;
}

/** How many numbers are kept of a delta. */
const width = 4;

/**
 * Deltas of one item that came together and differ in nothing but number, time, text and payload. They are as many as
 * there are pieces of text, so that nothing is made of each before it is written.
 */
export class DeltaRun {
  readonly #texts: string[] = [];
  readonly #places: number[] = [];
  /** Characters of all of them. */
  length = 0;

  add({ text, body, start, end, payload }: DeltaPlaces): void {
    this.#texts.push(text);
    this.#places.push(body, start, end, payload);
    this.length += text.length;
  }

  get count(): number {
    return this.#texts.length;
  }

  /** What they say, joined. */
  get delta(): string {
    let all = "";
    for (let n = 0; n < this.count; n++) all += this.deltaAt(n);
    return all;
  }

  deltaAt(index: number): string {
    const text = this.#texts[index]!;
    const [start, end] = [this.#places[index * width + 1]!, this.#places[index * width + 2]!];
    // Without an escape it is what it says.
    const escaped = text.indexOf("\\", start);
    return escaped === -1 || escaped >= end
      ? text.slice(start + 1, end - 1)
      : (JSON.parse(text.slice(start, end)) as string);
  }

  /** Its line from behind the number on, without the payload. */
  bodyAt(index: number): string {
    return `${this.#texts[index]!.slice(this.#places[index * width], this.#places[index * width + 2])}}}`;
  }

  payloadAt(index: number): string | undefined {
    const start = this.#places[index * width + 3]!;
    return start === 0 ? undefined : this.#texts[index]!.slice(start, -1);
  }
}
