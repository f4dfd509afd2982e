import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { type Json, object, string } from "../dialects/json.ts";
import { askScript } from "../server/ask-script.ts";
import type { ModelState } from "../server/model-state.ts";
import { redactHeaders } from "../server/redact-headers.ts";
import { AmpConnection } from "./amp-connection.ts";
import { AmpThread } from "./amp-thread.ts";
import type { AskScript } from "./amp-turn.ts";
import { internalAnswer } from "./internal-api.ts";
import { readThread } from "./read-thread.ts";

const GATEWAY = "/actors/gateway/threadActor/websocket";
const PROTOCOL = "rivet";
const DEFAULT_MODE = "medium";

/**
 * Amp's own service, as far as its program needs it. Unlike a model API it holds the conversation itself: the program is
 * connected to a thread, says what the user wrote, and runs the tools it is told to run.
 */
export class AmpService {
  readonly #state: ModelState;
  readonly #threads = new Map<string, AmpThread>();
  readonly #sockets = new WebSocketServer({ noServer: true, handleProtocols: () => PROTOCOL });

  constructor(state: ModelState) {
    this.#state = state;
    state.closed.addEventListener("abort", () => {
      for (const socket of this.#sockets.clients) socket.terminate();
    });
  }

  /** The answer to an HTTP request, or undefined if its path is none of Amp's. */
  answer(method: string, path: string, body: Json): Json | undefined {
    if (method !== "POST") return undefined;
    if (path === "/api/internal") return internalAnswer(this.#threads, string(body.method), object(body.params));
    return path === "/api/thread-actors" ? this.#openThread(body) : undefined;
  }

  /** Takes a connection to a thread; false if this is none. */
  takeUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const thread = this.#threads.get(url.searchParams.get("rvt-key") ?? "");
    if (!url.pathname.startsWith(GATEWAY) || thread === undefined) return false;
    this.#sockets.handleUpgrade(request, socket, head, (client) => this.#connect(client, thread, request));
    return true;
  }

  #openThread({ threadId, agentMode, executorType }: Json): Json {
    const id = string(threadId) || `T-${randomUUID()}`;
    const thread = this.#threads.get(id) ?? new AmpThread(id, string(agentMode) || DEFAULT_MODE);
    this.#threads.set(id, thread);
    return {
      threadId: id,
      wsToken: "scripted",
      usesDtw: true,
      usesThreadActors: true,
      executorType: string(executorType) || "local-client",
      ownerUserId: "user-scripted",
      threadVersion: thread.version,
      poolName: "scripted",
    };
  }

  #connect(socket: WebSocket, thread: AmpThread, request: IncomingMessage): void {
    thread.connect(socket);
    const connection = new AmpConnection(socket, thread, this.#asking(request), this.#state);
    socket.on("message", (data) => connection.take(data.toString()));
    socket.on("error", () => socket.terminate());
  }

  #asking({ url = GATEWAY, headers }: IncomingMessage): AskScript {
    return (thread) => {
      const { id, agentMode, messages, tools, context } = thread;
      return askScript(this.#state, {
        ...readThread(thread),
        dialect: "amp",
        path: url,
        headers: redactHeaders(headers),
        conversationId: id,
        body: structuredClone({ threadId: id, agentMode, messages, tools, context }),
      });
    };
  }
}
