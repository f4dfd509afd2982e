import type { DaemonPlace, RequestHeaders } from "./http/http.ts";
import type { SandboxAgentSpawnOptions } from "./spawn/spawn-options.ts";
import type { FollowOptions, ReconnectOptions } from "./stream/follow-events.ts";

interface ClientOptions {
  /** Used instead of the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sent with every request. */
  readonly headers?: RequestHeaders | undefined;
  /** For calls that answer with JSON, retries included; default 30 s. Streams and file bodies have none. */
  readonly timeoutMs?: number | undefined;
  /** How many times a call that may safely be repeated is; default 3. */
  readonly retries?: number | undefined;
  /** How `streamEvents` and `streamTurn` go on after a lost connection. */
  readonly reconnect?: ReconnectOptions | undefined;
}

/** Options of `SandboxAgent.connect`. */
export interface SandboxAgentConnectOptions extends ClientOptions {
  /** Where the daemon is; without it one is started. */
  readonly baseUrl?: string | undefined;
  readonly token?: string | undefined;
  /**
   * Where the daemon is and which token it takes, instead of `baseUrl` and `token`. Asked before every attempt, and once
   * more when a token was refused, so that calls and streams follow a daemon that restarts with another token or elsewhere.
   */
  readonly locate?: (() => DaemonPlace | Promise<DaemonPlace>) | undefined;
  readonly spawn?: SandboxAgentSpawnOptions | boolean | undefined;
}

/** Options of `SandboxAgent.start`. */
export interface SandboxAgentStartOptions extends ClientOptions {
  readonly spawn?: SandboxAgentSpawnOptions | boolean | undefined;
}

/** How a message is sent. */
export interface PostMessageOptions {
  /** Sending the same key again answers with the first turn; default: a random one. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a session is created. */
export interface CreateSessionOptions {
  /** Sending the same key again answers as the first time; without one an id that exists is refused. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a stream is read: until when, and what happens after a lost connection. */
export interface StreamEventsOptions {
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's own. */
  readonly reconnect?: ReconnectOptions | undefined;
  /** Told when the stream is open and events will follow, and each time it was lost and is to be opened anew. */
  readonly onConnection?: FollowOptions["onConnection"];
}

/** Where 0.1.11 took a signal, options are taken too. */
export function optionsFrom<T extends { signal?: AbortSignal | undefined }>(given: T | AbortSignal | undefined): T {
  if (given === undefined) return {} as T;
  return "aborted" in given ? ({ signal: given } as unknown as T) : given;
}
