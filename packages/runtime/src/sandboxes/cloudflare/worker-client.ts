import { isProviderError, providerError } from "../hosted/provider-error.ts";
import { retrying } from "../hosted/retrying.ts";
import { SandboxProviderError } from "../sandbox-provider.ts";
import type { CloudflareSettings } from "./cloudflare-settings.ts";

const requestLimitMs = 30_000;

export interface WorkerCall {
  /** An object is sent as JSON. */
  readonly body?: Uint8Array | Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For one attempt. Default: half a minute. */
  readonly limitMs?: number | undefined;
}

/**
 * The HTTP API of the Worker. Each call may be made twice, because who creates a box names it: what the Worker or Cloudflare
 * refuses for the moment is tried again. Every failure is a `SandboxProviderError`.
 */
export class WorkerClient {
  readonly #url: string;
  readonly #key: string;

  constructor({ url, key }: Pick<CloudflareSettings, "url" | "key">) {
    this.#url = url;
    this.#key = key;
  }

  async json<T>(method: string, path: string, call: WorkerCall = {}): Promise<T> {
    return retrying(async () => parsed<T>(await this.#ask(method, path, call), this.#url), { signal: call.signal });
  }

  /** As `json`; undefined where there is no such box, or no more. */
  async find<T>(method: string, path: string, call: WorkerCall = {}): Promise<T | undefined> {
    try {
      return await this.json<T>(method, path, call);
    } catch (error) {
      if (isProviderError(error, "not_found")) return undefined;
      throw error;
    }
  }

  text(method: string, path: string, call: WorkerCall = {}): Promise<string> {
    return retrying(async () => (await this.#ask(method, path, call)).toString(), { signal: call.signal });
  }

  /** A request to a port of a box, as it is: the Worker takes its key out of it. */
  through(id: string, port: number, input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const url = `${this.#url}/boxes/${id}/port/${port}${pathname}${search}`;
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
    headers.set("authorization", `Bearer ${this.#key}`);
    // What is compressed on the way is kept back until there is enough of it.
    headers.set("accept-encoding", "identity");
    return fetch(input instanceof Request ? new Request(url, input) : url, { ...init, headers });
  }

  /** The whole answer. Its time limit holds the process up, which that of `AbortSignal.timeout` does not. */
  async #ask(method: string, path: string, call: WorkerCall): Promise<Buffer> {
    const { body, signal, limitMs = requestLimitMs } = call;
    signal?.throwIfAborted();
    const limit = new AbortController();
    const seconds = Math.round(limitMs / 1000);
    const late = new SandboxProviderError("timeout", `The Worker at ${this.#url} did not answer within ${seconds} s.`);
    const timer = setTimeout(() => limit.abort(late), limitMs);
    try {
      const answer = await fetch(`${this.#url}${path}`, {
        method,
        headers: { authorization: `Bearer ${this.#key}`, "content-type": typeOf(body) },
        body: body === undefined || body instanceof Uint8Array ? (body ?? null) : JSON.stringify(body),
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
      } as RequestInit);
      const content = Buffer.from(await answer.arrayBuffer());
      if (!answer.ok) throw refusal(answer, content, this.#url);
      return content;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof SandboxProviderError) throw error;
      throw providerError(undefined, `The Worker at ${this.#url} is not reached: ${reasonOf(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

function typeOf(body: WorkerCall["body"]): string {
  return body instanceof Uint8Array ? "application/octet-stream" : "application/json";
}

function parsed<T>(content: Buffer, url: string): T {
  if (content.length === 0) return undefined as T;
  try {
    return JSON.parse(content.toString()) as T;
  } catch (cause) {
    throw new SandboxProviderError("failed", notTheWorker(url, "no JSON"), { cause });
  }
}

/** The Worker's refusals are JSON with a sentence; what else answers is something in front of it. */
function refusal({ status, headers }: Response, content: Buffer, url: string): SandboxProviderError {
  const notIt = (what: string) => new SandboxProviderError("failed", notTheWorker(url, what));
  if (status >= 300 && status < 400) return notIt(`a redirect to ${headers.get("location")}`);
  const message = sentenceIn(content);
  if (status === 401) {
    const advice = "Set the key of the provider to the Worker's secret SANDBOX_AGENT_KEY";
    return providerError(401, `The Worker at ${url} does not take the key. ${advice}.`);
  }
  if (message === undefined && status === 404) return notIt("404");
  return providerError(status, message ?? `The Worker at ${url} answered ${status}.`, { headers });
}

const notTheWorker = (url: string, what: string) =>
  `What answers at ${url} is not the Worker of sandboxes: it answered ${what}. Look at the address, and at what is in front of it.`;

function sentenceIn(content: Buffer): string | undefined {
  try {
    const { error } = JSON.parse(content.toString()) as { error?: { message?: unknown } };
    return typeof error?.message === "string" ? error.message : undefined;
  } catch {
    return undefined;
  }
}

const reasonOf = (error: unknown) => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
};
