export interface LoggedRequest {
  readonly id: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What was sent, when it is text; `binary` when it is not. */
  readonly body: { readonly text: string } | "binary" | undefined;
  readonly startedAt: number;
  /** Undefined while no answer is there. */
  readonly status: number | undefined;
  /** Until the answer's head was there. */
  readonly durationMs: number | undefined;
  readonly error: string | undefined;
  /** How many times in a row the same was asked, this one included. */
  readonly repeats: number;
}

/** Older ones are dropped. */
const KEPT = 500;

/** Every HTTP call of this page, newest last. */
export class RequestLog {
  #requests: readonly LoggedRequest[] = [];
  #lastId = 0;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): readonly LoggedRequest[] => this.#requests;

  readonly clear = (): void => this.#set([]);

  /** A fetch that leaves a trace here. */
  recording(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const id = this.#start(input, init);
      const before = performance.now();
      const took = (): number => performance.now() - before;
      try {
        const response = await fetch(input, init);
        this.#finish(id, { status: response.status, durationMs: took() });
        return response;
      } catch (error) {
        this.#finish(id, { error: error instanceof Error ? error.message : String(error), durationMs: took() });
        throw error;
      }
    };
  }

  #start(input: RequestInfo | URL, init: RequestInit | undefined): number {
    this.#lastId += 1;
    const request: LoggedRequest = {
      id: this.#lastId,
      method: init?.method ?? "GET",
      url: input instanceof Request ? input.url : String(input),
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: bodyOf(init?.body),
      startedAt: Date.now(),
      status: undefined,
      durationMs: undefined,
      error: undefined,
      repeats: 1,
    };
    const last = this.#requests.at(-1);
    const isRepeat =
      last?.method === "GET" && request.method === "GET" && last.url === request.url && last.status === 200;
    const kept = isRepeat ? this.#requests.slice(0, -1) : this.#requests.slice(1 - KEPT);
    this.#set([...kept, isRepeat ? { ...request, repeats: last.repeats + 1 } : request]);
    return request.id;
  }

  #finish(id: number, outcome: Partial<LoggedRequest>): void {
    this.#set(this.#requests.map((request) => (request.id === id ? { ...request, ...outcome } : request)));
  }

  #set(requests: readonly LoggedRequest[]): void {
    this.#requests = requests;
    for (const listener of this.#listeners) listener();
  }
}

function bodyOf(body: BodyInit | null | undefined): LoggedRequest["body"] {
  if (body === null || body === undefined) return undefined;
  return typeof body === "string" ? { text: body } : "binary";
}
