import { once } from "node:events";
import type { Writable } from "node:stream";
import type { UniversalEvent } from "@sandbox-agent-ts/sdk";
import { EventText, type EventTextOptions } from "./event-text.ts";
import { byteText } from "./number-text.ts";
import { relativeTime } from "./relative-time.ts";
import { type Paint, terminalOf } from "./terminal.ts";
import { type Column, propertyList, textTable } from "./text-table.ts";
import { hangingWords } from "./wrap-words.ts";

/**
 * For whom a command writes. `people`: a terminal, which gets sentences, fitted tables and relative times. `plain`: a pipe,
 * which gets whole tables, and JSON where there is none. `json`: nothing but JSON.
 */
export type Audience = "people" | "plain" | "json";

/** Where a command's results go. Everything waits until the reader has taken it, so a slow one costs no memory. */
export class Output {
  readonly audience: Audience;
  readonly columns: number;
  readonly paint: Paint;
  readonly #stream: Writable;

  constructor(stream: Writable, { json = false }: { readonly json?: boolean | undefined } = {}) {
    const { isTerminal, columns, paint } = terminalOf(stream);
    this.#stream = stream;
    this.audience = json ? "json" : isTerminal ? "people" : "plain";
    this.columns = columns;
    this.paint = paint;
  }

  get isForPeople(): boolean {
    return this.audience === "people";
  }

  async write(chunk: string | Uint8Array): Promise<void> {
    if (!this.#stream.write(chunk)) await once(this.#stream, "drain");
  }

  line(text: string): Promise<void> {
    return this.write(`${text}\n`);
  }

  json(value: unknown): Promise<void> {
    return this.line(JSON.stringify(value, null, 2));
  }

  /** One value on one line, for streams and `jq`. */
  jsonLine(value: unknown): Promise<void> {
    return this.line(JSON.stringify(value));
  }

  /** What happens in a session: text for people, else one line of JSON per event. */
  async events(
    events: Iterable<UniversalEvent> | AsyncIterable<UniversalEvent>,
    options: Pick<EventTextOptions, "showsPrompts"> = {},
  ): Promise<void> {
    const text = new EventText({ ...options, paint: this.paint, columns: this.columns });
    for await (const event of events) {
      await (this.isForPeople ? this.write(text.text(event)) : this.jsonLine(event));
    }
  }

  /** A sentence for people that says what was done; programs know it from the exit code. */
  async done(sentence: string): Promise<void> {
    if (this.isForPeople) await this.line(this.wrapped(sentence));
  }

  /** The daemon's answer: a sentence for people, else JSON. */
  answer(value: unknown, sentence: string): Promise<void> {
    return this.isForPeople ? this.line(this.wrapped(sentence)) : this.json(value);
  }

  /** Many things: a table, or the daemon's answer as JSON. `nothing` is what people read when there are none. */
  async list(
    value: unknown,
    columns: readonly (string | Column)[],
    rows: readonly (readonly string[])[],
    nothing: string,
  ): Promise<void> {
    if (this.audience === "json") return this.json(value);
    if (this.isForPeople && rows.length === 0) return this.line(nothing);
    await this.table(columns, rows);
  }

  /** One thing: names and values, or JSON. */
  async details(value: object, properties: object = value): Promise<void> {
    await (this.audience === "json" ? this.json(value) : this.properties(properties));
  }

  table(columns: readonly (string | Column)[], rows: readonly (readonly string[])[]): Promise<void> {
    const width = this.isForPeople ? { columns: this.columns } : {};
    return this.write(textTable(columns, rows, { ...width, paint: this.paint }));
  }

  properties(value: object): Promise<void> {
    const width = this.isForPeople ? { columns: this.columns } : {};
    return this.write(propertyList({ ...value }, { ...width, paint: this.paint }));
  }

  /** Sentences, which begin behind so many columns: people get them in lines that fit. */
  wrapped(text: string, indent = 0): string {
    return this.isForPeople ? hangingWords(text, this.columns, indent) : text;
  }

  /** A number of bytes: rounded for people. */
  bytes(count: number): string {
    return this.isForPeople ? byteText(count) : String(count);
  }

  /** A time: how long ago for people, ISO 8601 for programs. */
  moment(epochMs: number): string {
    return this.isForPeople ? relativeTime(epochMs) : new Date(epochMs).toISOString();
  }
}
