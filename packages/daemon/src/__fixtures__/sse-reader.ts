import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { StringDecoder } from "node:string_decoder";
import type { UniversalEvent } from "@sandbox-agent-ts/protocol";

export interface SseFrame {
  readonly id: number;
  /** The event as it came, to the byte. */
  readonly data: string;
}

export interface SseOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly lastEventId?: number;
  /** Called with each frame instead of keeping it. */
  readonly onFrame?: (frame: SseFrame) => void;
  /** Do not read before `resume`. */
  readonly paused?: boolean;
}

/** Reads server-sent events off a socket of its own; can stop reading, go on, and drop the connection. */
export class SseReader {
  readonly frames: SseFrame[] = [];
  /** How the stream ended: properly, or with the connection. */
  readonly closed: Promise<"ended" | "broken">;
  readonly #response: IncomingMessage;
  readonly #onFrame: (frame: SseFrame) => void;
  readonly #decoder = new StringDecoder("utf8");
  /** Of a frame that has not come whole; joined only then, for the sake of frames of many megabytes. */
  #pieces: string[] = [];
  #look = () => {};

  static async open(url: string, options: SseOptions = {}): Promise<SseReader> {
    const { method = "GET", headers = {}, body, lastEventId } = options;
    const resume = lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) };
    const sending = request(url, { method, agent: false, headers: { ...headers, ...resume } });
    sending.end(body);
    const [response] = (await once(sending, "response")) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`answered with ${response.statusCode} instead of events`);
    return new SseReader(response, options);
  }

  private constructor(response: IncomingMessage, { onFrame, paused }: SseOptions) {
    this.#response = response;
    this.#onFrame = onFrame ?? ((frame) => this.frames.push(frame));
    this.closed = new Promise((resolve) => {
      response.once("end", () => resolve("ended"));
      response.once("close", () => resolve("broken"));
      response.on("error", () => resolve("broken"));
    });
    response.on("data", (chunk: Buffer) => this.#take(this.#decoder.write(chunk)));
    if (paused) response.pause();
    void this.closed.then(() => this.#look());
  }

  get events(): UniversalEvent[] {
    return this.frames.map(({ data }) => JSON.parse(data));
  }

  /** Resolves when an event fits, with all events up to it; rejects when the stream closes first. */
  async until(fits: (event: UniversalEvent) => boolean): Promise<UniversalEvent[]> {
    const seen: UniversalEvent[] = [];
    let isOpen = true;
    void this.closed.then(() => {
      isOpen = false;
    });
    while (true) {
      for (const { data } of this.frames.slice(seen.length)) {
        const event: UniversalEvent = JSON.parse(data);
        seen.push(event);
        if (fits(event)) return seen;
      }
      if (!isOpen) throw new Error(`the stream closed after ${seen.length} events, none of which was waited for`);
      await new Promise<void>((resolve) => {
        this.#look = resolve;
      });
    }
  }

  resume(): void {
    this.#response.resume();
  }

  drop(): void {
    this.#response.destroy();
  }

  #take(text: string): void {
    const endsFrame = text.includes("\n\n") || (text.startsWith("\n") && this.#pieces.at(-1)?.endsWith("\n"));
    this.#pieces.push(text);
    if (!endsFrame) return;
    const frames = this.#pieces.join("").split("\n\n");
    this.#pieces = [frames.pop()!];
    for (const frame of frames) this.#takeFrame(frame);
    this.#look();
  }

  #takeFrame(text: string): void {
    const frame = parseFrame(text);
    if (frame) this.#onFrame(frame);
  }
}

/** A frame is exactly `id:` and `data:`; comments and `retry:` are none. Anything else is an error of the daemon. */
function parseFrame(text: string): SseFrame | undefined {
  if (text === ":" || text.startsWith("retry: ")) return undefined;
  const match = /^id: (\d+)\ndata: (.*)$/.exec(text);
  if (!match) throw new Error(`not a frame: ${JSON.stringify(text.slice(0, 200))}`);
  return { id: Number(match[1]), data: match[2]! };
}
