import { once } from "node:events";
import type { Writable } from "node:stream";
import { propertyList, textTable } from "./text-table.ts";

/** Where a command's results go. Everything waits until the reader has taken it, so a slow one costs no memory. */
export class Output {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    this.#stream = stream;
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

  table(header: readonly string[], rows: readonly (readonly string[])[]): Promise<void> {
    return this.write(textTable(header, rows));
  }

  properties(value: object): Promise<void> {
    return this.write(propertyList({ ...value }));
  }
}
