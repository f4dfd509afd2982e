import { SandboxAgent } from "../client.ts";
import type { SandboxAgentConnectOptions } from "../client-options.ts";
import { Http } from "../http/http.ts";
import { followBySocket } from "./follow-by-socket.ts";
import { followBySse } from "./follow-by-sse.ts";
import { RuntimeApiClient } from "./runtime-api-client.ts";
import type { FollowSessionOptions, RuntimeEvent } from "./runtime-event.ts";

export { ConversationBlocks } from "@sandbox-agent-ts/protocol";
export { SandboxAgentError } from "../sandbox-agent-error.ts";
export type { FollowSessionOptions, RuntimeEvent, SessionStateEvent, SessionStatusEvent } from "./runtime-event.ts";
export type * from "./runtime-types.ts";

/** Options of `RuntimeClient.connect`. */
export interface RuntimeClientOptions
  extends Pick<SandboxAgentConnectOptions, "fetch" | "headers" | "timeoutMs" | "retries" | "reconnect"> {
  /** Where the runtime is. */
  readonly baseUrl: string;
  /** An API key or a session token, or who gives one: asked before every request and every connection. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** How sessions are followed: over Socket.IO, which needs the package `socket.io-client`, or over HTTP. Default: `sse`. */
  readonly transport?: "socket" | "sse" | undefined;
}

/** A runtime, seen from outside: one method per operation under `/api`, and sessions that are followed as blocks. */
export class RuntimeClient extends RuntimeApiClient {
  /** Every operation that a runtime shares with a daemon. */
  readonly api: SandboxAgent;
  readonly #options: RuntimeClientOptions;

  private constructor(http: Http, api: SandboxAgent, options: RuntimeClientOptions) {
    super(http);
    this.api = api;
    this.#options = options;
  }

  /** Use a runtime. Nothing is sent yet. */
  static async connect(options: RuntimeClientOptions): Promise<RuntimeClient> {
    const { baseUrl, token, transport: _, ...rest } = options;
    const locate = typeof token === "function" ? async () => ({ baseUrl, token: await token() }) : undefined;
    const place = locate ? { locate } : { baseUrl, ...(typeof token === "string" ? { token } : {}) };
    const http = new Http({ ...rest, ...place, baseUrl });
    return new RuntimeClient(http, await SandboxAgent.connect({ ...rest, ...place }), options);
  }

  /**
   * A session as it is, then what becomes of it, each event once and in order, for as long as it is read: over lost
   * connections and restarts of the runtime, too. With `after` nothing but what comes after that cursor.
   */
  follow(sessionId: string, options: FollowSessionOptions = {}): AsyncGenerator<RuntimeEvent, void, undefined> {
    const { baseUrl, token, transport = "sse" } = this.#options;
    if (transport === "sse") return followBySse(this.api, sessionId, options);
    const current = async () => (typeof token === "function" ? await token() : token);
    return followBySocket({ baseUrl, token: current }, sessionId, options);
  }
}
