import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket as NetSocket } from "node:net";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { toClientError } from "@sandbox-agent-ts/server";
import { Server as Engine } from "engine.io";
import { Server, type Socket } from "socket.io";
import { may } from "../../access/may.ts";
import type { Principal } from "../../access/principal.ts";
import type { AgentRuntime } from "../../runtime.ts";
import { credentialsOf } from "../credentials-of.ts";
import { SessionFeeds } from "./session-feeds.ts";
import { SocketClient, type SocketContext } from "./socket-client.ts";
import { defaultSocketLimits, type SocketLimits } from "./socket-limits.ts";

/** `sessions:changed` is told at most this often. */
const listIntervalMs = 100;

export interface SocketGatewayOptions {
  readonly origins: readonly string[];
  readonly limits?: Partial<SocketLimits> | undefined;
}

/** Socket.IO over the sessions of a runtime: rooms are cursors on their logs, everything else is told as it is now. */
export class SocketGateway {
  readonly #runtime: AgentRuntime;
  readonly #origins: readonly string[];
  readonly #limits: SocketLimits;
  readonly #engine: Engine;
  readonly #io: Server;
  readonly #context: SocketContext;
  readonly #clients = new Set<SocketClient>();
  readonly #stopListening: (() => void)[];
  readonly #check: NodeJS.Timeout;
  readonly #changedOwners = new Set<string>();
  #listTimer: NodeJS.Timeout | undefined;

  constructor(runtime: AgentRuntime, { origins, limits }: SocketGatewayOptions) {
    this.#runtime = runtime;
    this.#origins = origins;
    this.#limits = { ...defaultSocketLimits, ...limits };
    const { maxMessageBytes, connectTimeoutMs, checkIntervalMs } = this.#limits;
    this.#engine = new Engine({ maxHttpBufferSize: maxMessageBytes, httpCompression: false, perMessageDeflate: false });
    this.#io = new Server({ serveClient: false, connectTimeout: connectTimeoutMs });
    this.#io.bind(this.#engine as unknown as Parameters<Server["bind"]>[0]);
    this.#context = {
      runtime,
      feeds: new SessionFeeds(),
      limits: this.#limits,
      authenticate: (request, token) => this.#authenticate(request, token),
    };
    this.#io.use((socket, next) => {
      this.#admit(socket).then(
        () => next(),
        (error: unknown) => next(refusal(error)),
      );
    });
    this.#io.on("connection", (socket) => this.#connected(socket));
    const { events } = runtime;
    this.#stopListening = [
      events.on("session:status", ({ sessionId, runtime: state }) => {
        for (const client of this.#joined(sessionId)) client.tellStatus(sessionId, state);
      }),
      events.on("session:deleted", ({ sessionId }) => {
        for (const client of this.#joined(sessionId)) client.tellDeleted(sessionId);
      }),
      events.on("sessions:changed", ({ owner }) => this.#listChanged(owner)),
    ];
    this.#check = setInterval(() => this.#checkAll(), checkIntervalMs).unref();
  }

  handleRequest(request: IncomingMessage, response: ServerResponse): void {
    this.#engine.handleRequest(request as Parameters<Engine["handleRequest"]>[0], response);
  }

  handleUpgrade(request: IncomingMessage, socket: NetSocket, head: Buffer): void {
    this.#engine.handleUpgrade(request as Parameters<Engine["handleUpgrade"]>[0], socket, head);
  }

  close(): void {
    clearInterval(this.#check);
    clearTimeout(this.#listTimer);
    for (const stop of this.#stopListening) stop();
    this.#io.disconnectSockets(true);
    this.#engine.close();
  }

  #authenticate(request: IncomingMessage, token: string | undefined): Promise<Principal> {
    return this.#runtime.access.principalOf(credentialsOf(request, { origins: this.#origins, token }));
  }

  async #admit(socket: Socket): Promise<void> {
    const { token } = socket.handshake.auth as { token?: unknown };
    const principal = await this.#authenticate(socket.request, typeof token === "string" ? token : undefined);
    const { maxConnections } = this.#limits;
    const open = [...this.#clients].filter((client) => client.principal.principal === principal.principal).length;
    if (open >= maxConnections) {
      const sentence = `"${principal.principal}" has ${maxConnections} sockets open, which is the limit. Close some.`;
      throw new SandboxError("too_many_requests", sentence);
    }
    (socket.data as { principal: Principal }).principal = principal;
  }

  #connected(socket: Socket): void {
    const client = new SocketClient(socket, (socket.data as { principal: Principal }).principal, this.#context);
    this.#clients.add(client);
    socket.once("disconnect", () => this.#clients.delete(client));
  }

  *#joined(sessionId: string): Generator<SocketClient, void, void> {
    for (const client of this.#clients) if (client.hasJoined(sessionId)) yield client;
  }

  #listChanged(owner: string): void {
    this.#changedOwners.add(owner);
    this.#listTimer ??= setTimeout(() => {
      this.#listTimer = undefined;
      for (const client of this.#clients) if (this.#seesChanges(client)) client.tellListChanged();
      this.#changedOwners.clear();
    }, listIntervalMs).unref();
  }

  #seesChanges({ principal }: SocketClient): boolean {
    if (may(principal, "sessions:list") !== "allowed") return false;
    return principal.scope === "admin" || this.#changedOwners.has(principal.principal);
  }

  #checkAll(): void {
    for (const client of this.#clients) {
      client.checkPrincipal().catch((err: unknown) => {
        this.#runtime.log.error({ err }, "it could not be looked whether a socket's key still holds");
      });
    }
  }
}

/** Socket.IO hands `data` to the client. */
function refusal(error: unknown): Error {
  const problem = toClientError(error);
  return Object.assign(new Error(problem.message), { data: problem.toProblem() });
}
