import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { json, text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { type ProviderErrorCode, SandboxProviderError } from "../sandbox-provider.ts";
import type { EngineAddress } from "./engine-address.ts";

/** An engine that says nothing for so long does not answer. */
const patienceMs = 60_000;
const longestMessage = 2_000;

type Method = "GET" | "HEAD" | "POST" | "PUT" | "DELETE";

export interface EngineCall {
  readonly query?: Readonly<Record<string, string | number | boolean | object>> | undefined;
  /** Sent as JSON. */
  readonly body?: object | undefined;
  /** Sent as it is, as a tar. */
  readonly archive?: AsyncIterable<unknown> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The answer may be silent for as long as it likes. */
  readonly isEndless?: boolean | undefined;
}

/**
 * The API of a Docker engine, over its socket. Paths have no version: every engine takes its own newest, and what is used
 * here has been the same in all. An answer that is a refusal becomes a `SandboxProviderError`.
 */
export class DockerEngine {
  readonly address: EngineAddress;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(address: EngineAddress) {
    this.address = address;
  }

  /** Undefined where the answer has no body. */
  async call<T>(method: Method, path: string, call: EngineCall = {}): Promise<T> {
    const answer = await this.stream(method, path, call);
    if (answer.statusCode === 204 || answer.statusCode === 304) return void answer.resume() as T;
    if (!answer.headers["content-type"]?.startsWith("application/json")) return (await text(answer)) as T;
    return (await json(answer)) as T;
  }

  /** As `call`; undefined where what is asked for is not there. */
  async find<T>(method: Method, path: string, call: EngineCall = {}): Promise<T | undefined> {
    try {
      return await this.call<T>(method, path, call);
    } catch (error) {
      if (isProviderError(error, "not_found")) return undefined;
      throw error;
    }
  }

  /** The answer as it comes. */
  async stream(method: Method, path: string, call: EngineCall = {}): Promise<IncomingMessage> {
    const answer = await this.#send(method, path, call);
    if (answer.statusCode! < 400) return answer;
    throw refusal(answer.statusCode!, method === "HEAD" ? "" : (await text(answer)).slice(0, longestMessage));
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(method: Method, path: string, call: EngineCall): Promise<IncomingMessage> {
    const again = method === "GET" || method === "HEAD";
    try {
      return await this.#sendOnce(method, path, call);
    } catch (error) {
      // The engine was restarted since the connection was made.
      const isStale = (error as { isReused?: boolean }).isReused === true && call.archive === undefined;
      if (!isStale || !again) throw unavailable(error, this.address);
    }
    return this.#sendOnce(method, path, call).catch((error: unknown) => {
      throw unavailable(error, this.address);
    });
  }

  #sendOnce(method: Method, path: string, call: EngineCall): Promise<IncomingMessage> {
    const { query = {}, body, archive, signal, isEndless = false } = call;
    const parts = Object.entries(query).map(([name, value]): [string, string] => [name, asText(value)]);
    const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = {
      host: "docker",
      ...(content ? { "content-type": "application/json", "content-length": content.length } : {}),
      ...(archive ? { "content-type": "application/x-tar" } : {}),
    };
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        ...this.address,
        agent: this.#agent,
        method,
        path: `${path}?${new URLSearchParams(parts)}`,
        signal,
        timeout: isEndless ? 0 : patienceMs,
        headers,
      });
      const fail = (error: unknown) => reject(Object.assign(error as Error, { isReused: request.reusedSocket }));
      request.once("response", resolve).once("error", fail);
      request.once("timeout", () => request.destroy(new Error("it said nothing for a minute")));
      if (archive) pipeline(archive, request).catch(fail);
      else request.end(content);
    });
  }
}

const asText = (value: string | number | boolean | object) =>
  typeof value === "object" ? JSON.stringify(value) : String(value);

export function isProviderError(error: unknown, code: ProviderErrorCode): error is SandboxProviderError {
  return error instanceof SandboxProviderError && error.code === code;
}

const codes: Readonly<Record<number, ProviderErrorCode>> = {
  401: "unauthorized",
  403: "unauthorized",
  404: "not_found",
};

function refusal(status: number, answer: string): SandboxProviderError {
  let message = answer;
  try {
    message = (JSON.parse(answer) as { message?: string }).message ?? answer;
  } catch {
    // Some answers are plain text.
  }
  const code = status === 409 ? "conflict" : (codes[status] ?? "failed");
  return new SandboxProviderError(code, `The Docker engine refused (${status}): ${message.trim()}`);
}

function unavailable(cause: unknown, address: EngineAddress): unknown {
  const { name, code, message } = cause as NodeJS.ErrnoException;
  if (name === "AbortError") return cause;
  const place = "socketPath" in address ? address.socketPath : `${address.host}:${address.port}`;
  const advice =
    code === "EACCES"
      ? "Run as root or as a member of the group docker"
      : "Start Docker, or say where it listens with --docker-host or DOCKER_HOST";
  const sentence = `The Docker engine at ${place} does not answer (${code ?? message}). ${advice}.`;
  return new SandboxProviderError("unavailable", sentence, { cause });
}
