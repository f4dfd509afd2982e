/** As many payloads in a row that fit no shape are enough to know that theirs differ in more than the text. */
const maxMisfits = 8;

/**
 * Tells payloads that are JSON by those before them: agents tell of one delta as of the other, and most payloads are the one
 * before with another text in it.
 */
export class PayloadShape {
  #last: string | undefined;
  #start: string | undefined;
  #end = "";
  #misfits = 0;

  /** Whether the payload of a delta, which is a string in JSON, is one line of JSON. */
  isJson(payload: string, delta: string): boolean {
    if (payload === this.#last || this.#fits(payload, delta)) return true;
    if (endsLine(payload) || !isJson(payload)) return false;
    this.#last = payload;
    if (this.#misfits < maxMisfits) this.#learn(payload, delta);
    this.#misfits += 1;
    return true;
  }

  #fits(payload: string, delta: string): boolean {
    if (this.#start === undefined) return false;
    const from = this.#start.length;
    const to = from + delta.length;
    if (payload.length !== to + this.#end.length || payload.slice(from, to) !== delta) return false;
    const fits = payload.slice(0, from) === this.#start && payload.slice(to) === this.#end;
    if (fits) this.#misfits = 0;
    return fits;
  }

  /** A string may stand where an object may, and in that place alone: within another string the object would end it. */
  #learn(payload: string, delta: string): void {
    const at = payload.indexOf(delta);
    this.#start = undefined;
    if (at === -1) return;
    const [start, end] = [payload.slice(0, at), payload.slice(at + delta.length)];
    if (!isJson(`${start}{"a":0}${end}`)) return;
    this.#start = start;
    this.#end = end;
  }
}

/** In JSON a line may end between two words; journals of payloads and server-sent events have one line for each. */
export function endsLine(text: string): boolean {
  return text.includes("\n") || text.includes("\r");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
