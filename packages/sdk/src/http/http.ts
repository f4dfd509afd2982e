import { errorFromResponse, SandboxAgentError } from "../sandbox-agent-error.ts";
import { byteStreamOf } from "./byte-stream.ts";
import { withDeadline } from "./deadline.ts";
import { CALL_BACKOFF, withRetries } from "./retry.ts";
import { uploadBodyOf } from "./upload-body.ts";
import { buildUrl, type Query } from "./url.ts";

const DEFAULT_TIMEOUT_MS = 30_000;

/** Node refuses a streamed body without `duplex`, and while it may have to follow a redirect keeps all of it in memory. */
const streamed = { duplex: "half", redirect: "error" } as const;

export type RequestHeaders = NonNullable<RequestInit["headers"]>;
export type RequestBody = NonNullable<RequestInit["body"]>;

/** Where a daemon is and which token it takes. */
export interface DaemonPlace {
  readonly baseUrl: string;
  readonly token?: string | undefined;
}

export interface HttpOptions extends DaemonPlace {
  /** Asked before every attempt and again when a token was refused; without it the daemon stays where it is. */
  readonly locate?: (() => DaemonPlace | Promise<DaemonPlace>) | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly headers?: RequestHeaders | undefined;
  /** For calls that say nothing else; default 30 s, retries included. */
  readonly timeoutMs?: number | undefined;
  /** How many times an idempotent call is tried again; default 3. */
  readonly retries?: number | undefined;
}

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Query | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, with `contentType`. */
  readonly body?: RequestBody;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** `null` waits for ever. */
  readonly timeoutMs?: number | null;
  /** May be sent twice without harm; default: only a GET may. */
  readonly repeatable?: boolean;
}

/** Speaks HTTP with one daemon: token, query, JSON, problems, timeouts, retries. */
export class Http {
  readonly #options: HttpOptions;
  readonly #fetch: typeof globalThis.fetch;
  #place: DaemonPlace;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#place = options;
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  /** Where the last attempt went. */
  get place(): DaemonPlace {
    return this.#place;
  }

  json<T>(call: Call): Promise<T> {
    return this.#call(call, (response) => readJson<T>(response, call));
  }

  async empty(call: Call): Promise<void> {
    await this.#call(call, (response) => response.arrayBuffer());
  }

  async bytes(call: Call): Promise<Uint8Array> {
    return new Uint8Array(await this.#call(call, (response) => response.arrayBuffer()));
  }

  /** One attempt without a timeout; the body is the caller's to read. */
  stream(call: Call): Promise<Response> {
    return this.#attempt(call, call.signal, async (response) => response);
  }

  /** The body as it comes, without a timeout; what breaks it later is an error of ours. */
  async byteStream(call: Call): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.stream(call);
    return byteStreamOf(body, (error) => failureOf(call, call.signal, error));
  }

  #call<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    const timeoutMs = call.timeoutMs === undefined ? (this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS) : call.timeoutMs;
    const repeatable = call.repeatable ?? call.method === "GET";
    const retries = repeatable ? (this.#options.retries ?? CALL_BACKOFF.retries) : 0;
    const onTimeout = (): Error =>
      SandboxAgentError.withoutResponse(`${describe(call)} was not answered within ${timeoutMs} ms.`);
    return withDeadline({ timeoutMs, signal: call.signal, onTimeout }, (signal) =>
      withRetries({ ...CALL_BACKOFF, retries }, signal, () => this.#attempt(call, signal, read)),
    );
  }

  async #attempt<T>(call: Call, signal: AbortSignal | undefined, read: (response: Response) => Promise<T>): Promise<T> {
    const upload = call.body instanceof ReadableStream ? uploadBodyOf(call.body) : undefined;
    const send = (): Promise<Response> => {
      const url = buildUrl(this.#place.baseUrl, call.path, call.query);
      return this.#fetch(url, this.#init(call, upload?.body, signal));
    };
    try {
      await this.#relocate();
      let response = await send();
      if (response.status === 401 && upload === undefined && (await this.#relocate())) {
        await response.body?.cancel();
        response = await send();
      }
      if (!response.ok) throw await errorFromResponse(response);
      return await read(response);
    } catch (error) {
      throw failureOf(call, signal, error);
    } finally {
      upload?.release();
    }
  }

  /** Ask where the daemon is now; answers whether that is news. */
  async #relocate(): Promise<boolean> {
    if (this.#options.locate === undefined) return false;
    const before = this.#place;
    this.#place = await this.#options.locate();
    return this.#place.baseUrl !== before.baseUrl || this.#place.token !== before.token;
  }

  #init(call: Call, stream: ReadableStream | undefined, signal: AbortSignal | undefined): RequestInit {
    const body = call.json === undefined ? (stream ?? call.body) : JSON.stringify(call.json);
    return {
      method: call.method,
      headers: this.#headers(call),
      ...(body === undefined ? {} : { body }),
      ...(stream === undefined ? {} : streamed),
      ...(signal === undefined ? {} : { signal }),
    };
  }

  #headers(call: Call): Headers {
    const headers = new Headers(this.#options.headers);
    headers.set("accept", call.accept ?? "application/json");
    if (this.#place.token) headers.set("authorization", `Bearer ${this.#place.token}`);
    if (call.json !== undefined) headers.set("content-type", "application/json");
    if (call.contentType !== undefined) headers.set("content-type", call.contentType);
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    return headers;
  }
}

async function readJson<T>(response: Response, call: Call): Promise<T> {
  const text = await response.text();
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    const message = `${describe(call)} was answered with something that is not JSON; is this a Sandbox Agent daemon?`;
    throw new SandboxAgentError(response.status, undefined, response, message, cause);
  }
}

/** The caller's own reason where the caller ended it, else an error that says which call failed and why. */
function failureOf(call: Call, signal: AbortSignal | undefined, error: unknown): unknown {
  if (error instanceof SandboxAgentError) return error;
  if (signal?.aborted) return signal.reason;
  return SandboxAgentError.withoutResponse(`${describe(call)} failed: ${reasonOf(error)}.`, error);
}

function describe(call: Call): string {
  return `${call.method} ${call.path}`;
}

/** What fetch hides in `cause` ("fetch failed") is the part that helps. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
