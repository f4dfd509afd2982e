/** What the Worker's HTTP API is made of: boxes, each a container that the program in `container/box.mjs` runs in. */
export interface Boxes {
  /** Starts it. Asked again with the same id and labels it answers the one that is there; an id that was ended is refused. */
  create(id: string, wanted: NewBox): Promise<BoxState>;
  /** Never wakes it and is no activity; undefined where there never was one. */
  look(id: string): Promise<BoxState | undefined>;
  /** Those that were not ended, in the order of their ids. */
  list(query: BoxQuery): Promise<BoxPage>;
  /** Stay awake for so long from now on, also without a request. */
  keep(id: string, ms: number): Promise<BoxState>;
  /** For good. Succeeds where it is gone or never was, and then keeps it from coming into being later. */
  destroy(id: string): Promise<void>;
  /** Starts the daemon, unless it runs. What the program in the box is told is not looked at here: it has secrets. */
  start(id: string, start: ReadableStream<Uint8Array> | null): Promise<void>;
  write(id: string, file: FileToWrite): Promise<void>;
  /** The last bytes of what the daemon said to its standard error. */
  logs(id: string, maxBytes: number): Promise<string>;
  /** To a port inside, streamed both ways, WebSockets too. Never starts the container. */
  fetch(id: string, port: number, request: Request): Promise<Response>;
}

export interface NewBox {
  readonly labels: Readonly<Record<string, string>>;
  /** For all that is started in it; told the program in it and not kept. */
  readonly env: Readonly<Record<string, string>>;
  /** How long it stays awake without a request. */
  readonly idleMs: number;
  readonly network: "on" | "off";
}

export interface BoxSummary {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: number;
}

export interface BoxState extends BoxSummary {
  /** `starting`: no daemon yet. `failed`: the daemon ended, the container is there. `gone`: with everything in it. */
  readonly state: "starting" | "running" | "failed" | "gone";
  /** Of the daemon, where it failed: its exit code, or 128 and the number of a signal. */
  readonly exitCode?: number | undefined;
  readonly why?: string | undefined;
  /** When it falls asleep, unless a request comes before; then it is gone. */
  readonly expiresAt?: number | undefined;
}

export interface BoxQuery {
  readonly label?: { readonly key: string; readonly value: string } | undefined;
  /** The last id of the page before. */
  readonly after: string;
  readonly limit: number;
}

export interface BoxPage {
  readonly boxes: readonly BoxSummary[];
  readonly next?: string | undefined;
}

export interface FileToWrite {
  readonly path: string;
  readonly mode: number;
  readonly body: ReadableStream<Uint8Array> | null;
}

/** Where the program in `container/box.mjs` listens. Nobody reaches it through the Worker. */
export const controlPort = 2469;

/** A refusal, in words for people; it becomes the answer to the request. */
export class BoxError extends Error {
  override readonly name = "BoxError";
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

export const refusals = {
  wrong: (message: string): Refusal => ({ status: 400, code: "invalid_request", message }),
  unknown: (id: string): Refusal => ({ status: 404, code: "not_found", message: `There is no box "${id}".` }),
  gone: (id: string, why = "It was ended."): Refusal => ({
    status: 410,
    code: "gone",
    message: `The box "${id}" is gone. ${why}`,
  }),
  closed: (port: number): Refusal => ({
    status: 502,
    code: "not_listening",
    message: `Nothing listens on port ${port} of the box.`,
  }),
};
