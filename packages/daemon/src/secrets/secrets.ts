/** What stands in the place of a secret. */
const redacted = "[redacted]";

/** Of more than so many the oldest are forgotten: those of sessions of long ago. */
const mostSecrets = 1_000;

/**
 * Values that the daemon hands out and that nobody shall read in what it says: a model service may repeat the key it was
 * given. One search per text, which is next to nothing for a text that has no secret in it.
 */
export class Secrets {
  readonly #values = new Set<string>();
  #forms: readonly string[] = [];
  #firsts = new Set<number>();
  #longest = 0;
  #pattern: RegExp | undefined;

  constructor(values: Iterable<string> = []) {
    this.add(values);
  }

  get isEmpty(): boolean {
    return this.#pattern === undefined;
  }

  add(values: Iterable<string>): void {
    const before = this.#values.size;
    for (const value of values) this.#values.add(value);
    if (this.#values.size === before) return;
    for (const value of this.#values) if (this.#values.size > mostSecrets) this.#values.delete(value);
    // The longest first: one may be the beginning of another.
    this.#forms = [...new Set([...this.#values].flatMap(formsOf))].sort((a, b) => b.length - a.length);
    this.#firsts = new Set(this.#forms.map((form) => form.charCodeAt(0)));
    this.#longest = this.#forms[0]?.length ?? 0;
    this.#pattern = new RegExp(this.#forms.map(literally).join("|"), "g");
  }

  isIn(text: string): boolean {
    // `test` of a global pattern begins where the last one ended.
    return this.#pattern !== undefined && text.search(this.#pattern) !== -1;
  }

  redact(text: string): string {
    return this.#pattern === undefined || !this.isIn(text) ? text : text.replace(this.#pattern, redacted);
  }

  /** A line of JSON, which stays one: `\n` and what follows it may look like a secret that begins with `n`. */
  redactJson(line: string): string {
    if (this.#pattern === undefined || !this.isIn(line)) return line;
    return line.replace(this.#pattern, (found, at: number) => (isEscape(line, at) ? found : redacted));
  }

  /** The same value without secrets in its texts; the value itself where there are none. */
  redactIn<Value>(value: Value): Value {
    if (this.isEmpty) return value;
    if (typeof value === "string") return this.redact(value) as Value;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.redactIn(item));
      return items.some((item, index) => item !== value[index]) ? (items as Value) : value;
    }
    const changed: Record<string, unknown> = {};
    let isChanged = false;
    for (const [name, field] of Object.entries(value)) {
      const kept = this.redactIn(field);
      if (kept === field) continue;
      changed[name] = kept;
      isChanged = true;
    }
    return isChanged ? { ...value, ...changed } : value;
  }

  /** Where the end of a text begins that may become a secret with what follows; its length where there is none. */
  startOfEnd(text: string): number {
    for (let at = Math.max(0, text.length - this.#longest + 1); at < text.length; at++) {
      if (!this.#firsts.has(text.charCodeAt(at))) continue;
      const end = text.slice(at);
      if (this.#forms.some((form) => form.length > end.length && form.startsWith(end))) return at;
    }
    return text.length;
  }

  /** Where they are in a text. */
  *placesIn(text: string): Generator<{ start: number; end: number }> {
    if (this.#pattern === undefined) return;
    for (const { index, 0: found } of text.matchAll(this.#pattern)) yield { start: index, end: index + found.length };
  }
}

/** As it is in a text, in JSON, in JSON within JSON, and in a URL. */
function formsOf(value: string): string[] {
  const json = inJson(value);
  return [value, json, inJson(json), inUrl(value)];
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function inUrl(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

const escapes = /[bfnrtu"\\/]/;

function isEscape(line: string, at: number): boolean {
  if (!escapes.test(line[at]!)) return false;
  let slashes = 0;
  while (line[at - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1;
}
