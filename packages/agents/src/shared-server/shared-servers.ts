import type { SandboxError, ServerStatusInfo } from "@sandbox-agent-ts/protocol";
import type { AgentHost } from "../agent.ts";
import { type Launch, launchKey } from "./launch.ts";

/** A process that carries the conversations of several sessions. */
export interface SharedServer {
  readonly alive: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Whether it answers within this time; one that is stopped or hangs does not. */
  answers(timeoutMs: number): Promise<boolean>;
  /** Resolves with the reason when it is gone, whoever ended it. */
  readonly exited: Promise<SandboxError>;
  stop(): Promise<void>;
}

/** A server that says nothing for so long is of no use to anybody. */
const ANSWER_LIMIT_MS = 5_000;

export type StartServer<Server> = (host: AgentHost, launch: Launch) => Promise<Server>;

/** A place for one server: started on first use, started anew when it died or does not answer any more. */
export class ServerPlace<Server extends SharedServer> {
  readonly launch: Launch;
  readonly #host: AgentHost;
  readonly #startServer: StartServer<Server>;
  users = 0;
  restarts = 0;
  lastError: string | undefined;
  server: Server | undefined;
  #starting: Promise<Server> | undefined;
  #asking: Promise<void> | undefined;

  constructor(host: AgentHost, launch: Launch, startServer: StartServer<Server>) {
    this.#host = host;
    this.launch = launch;
    this.#startServer = startServer;
  }

  async get(): Promise<Server> {
    await this.endIfSilent();
    if (this.server?.alive) return this.server;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Asks the server whether it is still there, and ends one that does not answer. */
  async endIfSilent(): Promise<void> {
    const { server } = this;
    if (!server?.alive) return;
    this.#asking ??= this.#askAndEnd(server).finally(() => {
      this.#asking = undefined;
    });
    await this.#asking;
  }

  async #askAndEnd(server: Server): Promise<void> {
    if (await server.answers(ANSWER_LIMIT_MS)) return;
    this.#host.log.warn({ limitMs: ANSWER_LIMIT_MS }, "a server that sessions share does not answer; it is ended");
    await server.stop();
  }

  async stop(): Promise<void> {
    const server = this.server ?? (await this.#starting?.catch(() => undefined));
    this.server = undefined;
    await server?.stop();
  }

  async #start(): Promise<Server> {
    try {
      const server = await this.#startServer(this.#host, this.launch);
      if (this.lastError !== undefined) this.restarts += 1;
      this.server = server;
      void server.exited.then((error) => this.#afterExit(server, error));
      return server;
    } catch (error) {
      this.lastError = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  #afterExit(server: Server, error: SandboxError): void {
    if (this.server !== server) return;
    this.server = undefined;
    this.lastError = error.message;
    this.#host.log.warn({ err: error }, "a server that sessions share ended by itself");
  }
}

/** The servers of a daemon: one for all sessions, and one more for each environment that differs. */
export class SharedServers<Server extends SharedServer> {
  readonly #startServer: StartServer<Server>;
  readonly #places = new Map<string, ServerPlace<Server>>();

  constructor(startServer: StartServer<Server>) {
    this.#startServer = startServer;
  }

  /** To be given back with `release`. */
  borrow(host: AgentHost, launch: Launch): ServerPlace<Server> {
    const key = launchKey(launch, host);
    const place = this.#places.get(key) ?? new ServerPlace(host, launch, this.#startServer);
    this.#places.set(key, place);
    place.users += 1;
    return place;
  }

  /** The server of all sessions stays warm; one of a session's own environment goes with the last that used it. */
  async release(place: ServerPlace<Server>): Promise<void> {
    place.users -= 1;
    if (place.users > 0 || place.launch.common) return;
    for (const [key, known] of this.#places) if (known === place) this.#places.delete(key);
    await place.stop();
  }

  status(): ServerStatusInfo {
    const places = [...this.#places.values()];
    const running = places.flatMap(({ server }) => server ?? []);
    const restartCount = places.reduce((sum, { restarts }) => sum + restarts, 0);
    const lastError = places.findLast((place) => place.lastError !== undefined)?.lastError;
    return {
      status: running.length > 0 ? "running" : lastError === undefined ? "stopped" : "error",
      restartCount,
      ...(lastError === undefined ? {} : { lastError }),
      ...(running.length > 0 ? { uptimeMs: Date.now() - Math.min(...running.map(({ startedAt }) => startedAt)) } : {}),
    };
  }

  async close(): Promise<void> {
    const places = [...this.#places.values()];
    this.#places.clear();
    await Promise.all(places.map((place) => place.stop()));
  }
}
