const start = '{"sequence":';
const middle = ',"raw":';
/** As good as none. */
const nothing = "null";
const longestStart = `${start}999999999999999${middle}`.length;

/** The agents' own payloads that came beside events, one line each in their order. */
export class PayloadLines {
  readonly #text: string;
  #at = 0;
  /** Where the payload is of the event that was last asked for; both are 0 where it has none. */
  start = 0;
  end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get payload(): string | undefined {
    return this.end === 0 ? undefined : this.#text.slice(this.start, this.end);
  }

  /** Look for the payload of an event; later ones alone can be asked for then. Lines that say nothing are passed over. */
  find(digits: string): void {
    this.start = 0;
    this.end = 0;
    while (this.#at < this.#text.length) {
      const head = `${start}${digits}${middle}`;
      const from = this.#at + head.length;
      const isIts = this.#text.slice(this.#at, from) === head;
      if (!isIts && this.#isLater(Number(digits))) return;
      const end = this.#text.indexOf("\n", this.#at);
      this.#at = end === -1 ? this.#text.length : end + 1;
      if (!isIts || end === -1 || this.#text[end - 1] !== "}") continue;
      if (this.#text.slice(from, end - 1) === nothing) return;
      this.start = from;
      this.end = end - 1;
      return;
    }
  }

  #isLater(sequence: number): boolean {
    const [, digits] =
      /^\{"sequence":(\d{1,15}),"raw":/.exec(this.#text.slice(this.#at, this.#at + longestStart)) ?? [];
    return digits !== undefined && Number(digits) > sequence;
  }
}
