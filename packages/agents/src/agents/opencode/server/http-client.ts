import { SandboxError } from "@sandbox-agent-ts/protocol";

const REQUEST_TIMEOUT_MS = 60_000;
const USER = "opencode";
const SHOWN_BODY = 500;

/** The server understood and said no. */
export class RefusedRequest extends SandboxError {
  readonly answered: number;

  constructor(answered: number, body: string) {
    super("stream_error", messageOf(body) || `OpenCode answered ${answered}.`, { agent: "opencode" });
    this.answered = answered;
  }
}

export interface RequestOptions {
  /** Which of its instances is meant: there is one for each directory. */
  readonly directory?: string;
  readonly body?: object;
  readonly timeoutMs?: number;
}

/** Speaks to one server. Throws a `SandboxError`, which is a `RefusedRequest` when there was an answer. */
export class HttpClient {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, password: string) {
    this.#url = url;
    const authorization = `Basic ${Buffer.from(`${USER}:${password}`).toString("base64")}`;
    // A connection that is kept may belong to a server that had the same port before.
    this.#headers = { authorization, connection: "close" };
  }

  async request<Result>(method: string, path: string, options: RequestOptions = {}): Promise<Result> {
    const { directory, body, timeoutMs = REQUEST_TIMEOUT_MS } = options;
    const query = directory === undefined ? "" : `?directory=${encodeURIComponent(directory)}`;
    const init: RequestInit = { method, headers: this.#headers, signal: AbortSignal.timeout(timeoutMs) };
    if (body)
      Object.assign(init, {
        headers: { ...this.#headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const { ok, status, text } = await this.#answer(`${this.#url}${path}${query}`, init);
    if (!ok) throw new RefusedRequest(status, text);
    return (text === "" ? undefined : JSON.parse(text)) as Result;
  }

  /** The bytes of everything that happens, of all sessions, until the signal or the server ends it. */
  async events(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { ok, status, body } = await fetch(`${this.#url}/global/event`, { headers: this.#headers, signal });
    if (!ok || !body) throw new SandboxError("stream_error", `OpenCode does not tell what happens (${status}).`);
    return body;
  }

  async #answer(url: string, init: RequestInit): Promise<{ ok: boolean; status: number; text: string }> {
    try {
      const response = await fetch(url, init);
      return { ok: response.ok, status: response.status, text: await response.text() };
    } catch (cause) {
      const message = "The OpenCode server does not answer. Send the message again.";
      throw new SandboxError("stream_error", message, { agent: "opencode", cause });
    }
  }
}

function messageOf(body: string): string {
  try {
    const { message, data } = JSON.parse(body) as { message?: string; data?: { message?: string } };
    return data?.message ?? message ?? body.slice(0, SHOWN_BODY);
  } catch {
    return body.slice(0, SHOWN_BODY);
  }
}
