import { request } from "node:http";
import { credentials } from "./http-client.ts";

const idLine = Buffer.from("\nid: ");

/** Follows a stream of server-sent events as cheaply as possible: it looks at nothing but the ids. */
export class EventCounter {
  last = 0;
  bytes = 0;
  outOfOrder = 0;
  readonly #waiting: { id: number; resolve: () => void }[] = [];
  #rest: Buffer = Buffer.from("\n");
  #destroy: () => void = () => {};

  static follow(url: string): Promise<EventCounter> {
    const counter = new EventCounter();
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        { agent: false, headers: { accept: "text/event-stream", ...credentials(url) } },
        (response) => {
          response.on("data", (chunk: Buffer) => counter.#read(chunk));
          response.on("error", () => {});
          resolve(counter);
        },
      );
      sent.on("error", reject);
      sent.end();
      counter.#destroy = () => sent.destroy();
    });
  }

  /** Resolves when the event with this id has arrived. */
  reached(id: number): Promise<void> {
    if (this.last >= id) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ id, resolve }));
  }

  close(): void {
    this.#destroy();
  }

  #read(chunk: Buffer): void {
    this.bytes += chunk.length;
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let done = 0;
    for (let at = bytes.indexOf(idLine); at !== -1; at = bytes.indexOf(idLine, at + 1)) {
      const end = bytes.indexOf(10, at + idLine.length);
      if (end === -1) break;
      const id = Number(bytes.toString("latin1", at + idLine.length, end));
      if (id !== this.last + 1) this.outOfOrder += 1;
      this.last = id;
      done = end;
    }
    this.#rest = bytes.subarray(Math.max(done, bytes.length - 32));
    while (this.#waiting.length > 0 && this.last >= this.#waiting[0]!.id) this.#waiting.shift()!.resolve();
  }
}
