import { BoxError, type FileToWrite, refusals } from "./boxes.ts";

const lookLimitMs = 5_000;
const startLimitMs = 15_000;

export interface DaemonLook {
  readonly state: "none" | "running" | "ended";
  readonly exitCode?: number;
}

/**
 * Talks to the program that runs in a box (`container/box.mjs`). The first who sends it a secret owns it: that is the Worker,
 * before anything else runs in the box.
 */
export class BoxControl {
  readonly #fetch: (request: Request) => Promise<Response>;
  readonly #secret: string;

  /** `fetch` leads to `controlPort` in the box. */
  constructor(fetch: (request: Request) => Promise<Response>, secret: string) {
    this.#fetch = fetch;
    this.#secret = secret;
  }

  async claim(env: Readonly<Record<string, string>>): Promise<void> {
    await this.#call("PUT", "/claim", { body: JSON.stringify({ env }), limitMs: startLimitMs });
  }

  /** Undefined where the program is another one than the one that was claimed: everything in the box is lost. */
  async look(): Promise<DaemonLook | undefined> {
    const answer = await this.#send("GET", "/daemon", { limitMs: lookLimitMs });
    if (answer.status === 401) return undefined;
    return (await checked(answer)).json() as Promise<DaemonLook>;
  }

  /** At once where none runs. */
  async untilDaemonEnded(signal: AbortSignal): Promise<void> {
    await this.#call("GET", "/daemon/end", { signal });
  }

  async start(start: ReadableStream<Uint8Array> | null): Promise<void> {
    await this.#call("PUT", "/daemon", { body: start, limitMs: startLimitMs });
  }

  async write({ path, mode, body }: FileToWrite): Promise<void> {
    const query = new URLSearchParams({ path, mode: mode.toString(8) });
    await this.#call("PUT", `/file?${query}`, { body });
  }

  async logs(maxBytes: number): Promise<string> {
    return (await this.#call("GET", `/logs?bytes=${maxBytes}`, { limitMs: lookLimitMs })).text();
  }

  async #call(method: string, path: string, options: CallOptions): Promise<Response> {
    return checked(await this.#send(method, path, options));
  }

  #send(method: string, path: string, { body = null, limitMs, signal: given }: CallOptions): Promise<Response> {
    const signal = limitMs === undefined ? given : AbortSignal.timeout(limitMs);
    // A body that is a stream is sent as it comes; Node wants to be told so.
    const init = {
      method,
      headers: { "x-box-secret": this.#secret },
      body,
      duplex: "half",
      ...(signal ? { signal } : {}),
    };
    return this.#fetch(new Request(`http://box.internal${path}`, init as RequestInit));
  }
}

interface CallOptions {
  readonly body?: string | ReadableStream<Uint8Array> | null;
  readonly limitMs?: number;
  /** In the place of a limit. */
  readonly signal?: AbortSignal;
}

async function checked(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  const message = (await answer.text()).slice(0, 1_000);
  if (answer.status === 400) throw new BoxError(refusals.wrong(message));
  throw new BoxError({ status: 502, code: "box_failed", message: `The box answered ${answer.status}: ${message}` });
}
