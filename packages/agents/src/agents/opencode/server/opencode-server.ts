import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentHost } from "../../../agent.ts";
import type { AgentProcess, ProcessExit } from "../../../process/agent-process.ts";
import { exitError } from "../../../process/exit-error.ts";
import type { Launch } from "../../../shared-server/launch.ts";
import type { EventProperties, OpencodeEvent } from "../dialect.ts";
import { commandShell } from "./command-shell.ts";
import { Directories } from "./directories.ts";
import { HttpClient, RefusedRequest, type RequestOptions } from "./http-client.ts";
import { serverEnvironment } from "./launch.ts";
import { McpServers } from "./mcp-servers.ts";
import { readEvents } from "./read-events.ts";
import { StartedCommands } from "./started-commands.ts";

const START_TIMEOUT_MS = 60_000;
const listening = /listening on (http:\S+)/;

/** A conversation, as the server that carries it sees it. */
export interface SessionListener {
  /** What happened to it and to its subagents, all of one read. */
  takeEvents(events: readonly OpencodeEvent[]): void;
  /** The server is gone. */
  lost(error: SandboxError): void;
}

/** A running `opencode serve` and the conversations it carries. */
export class OpencodeServer {
  readonly startedAt = Date.now();
  readonly mcp: McpServers;
  readonly directories: Directories;
  readonly commands: StartedCommands;
  /** Settles when the process is gone. */
  readonly exited: Promise<SandboxError>;
  readonly #host: AgentHost;
  readonly #process: AgentProcess;
  readonly #http: HttpClient;
  readonly #listeners = new Map<string, SessionListener>();
  readonly #stopping = new AbortController();
  #alive = true;

  private constructor(host: AgentHost, process: AgentProcess, http: HttpClient) {
    this.#host = host;
    this.#process = process;
    this.#http = http;
    this.mcp = new McpServers(http);
    this.directories = new Directories(http);
    this.commands = new StartedCommands(process.pid);
    this.exited = process.exited.then((exit) => this.#afterExit(exit));
  }

  /** Resolves when it takes requests: one that comes earlier is never answered. */
  static async start(host: AgentHost, launch: Launch): Promise<OpencodeServer> {
    const { env, password } = serverEnvironment(launch);
    const { process, url } = spawnServer(host, launch.command, { ...env, ...commandShell(host.dataDir, env) });
    try {
      const address = await firstOf(url, process);
      const server = new OpencodeServer(host, process, new HttpClient(address, password));
      await server.#listen();
      return server;
    } catch (error) {
      await process.stop();
      throw error;
    }
  }

  get alive(): boolean {
    return this.#alive;
  }

  request<Result>(method: string, path: string, options?: RequestOptions): Promise<Result> {
    return this.#http.request<Result>(method, path, options);
  }

  /** Any answer is one. */
  async answers(timeoutMs: number): Promise<boolean> {
    try {
      await this.#http.request("GET", "/global/health", { timeoutMs });
      return true;
    } catch (error) {
      return error instanceof RefusedRequest;
    }
  }

  attach(sessionId: string, listener: SessionListener): void {
    this.#listeners.set(sessionId, listener);
  }

  detach(listener: SessionListener): void {
    for (const [id, known] of this.#listeners) if (known === listener) this.#listeners.delete(id);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#process.stop();
  }

  async #listen(): Promise<void> {
    const { log } = this.#host;
    const events = await this.#http.events(this.#stopping.signal);
    const leftOut = (about: object) => log.error(about, "the OpenCode server told something unreadable; left out");
    readEvents(events, (batch) => this.#deliver(batch), leftOut)
      .catch((err: unknown) => log.debug({ err }, "the events of the OpenCode server broke off"))
      // Without them nobody knows what happens; a new server does.
      .then(() => this.stop())
      .catch((err: unknown) => log.error({ err }, "an OpenCode process could not be ended"));
  }

  #deliver(events: readonly OpencodeEvent[]): void {
    const batches = new Map<SessionListener, OpencodeEvent[]>();
    for (const event of events) {
      const listener = this.#listenerOf(event);
      if (listener && !batches.get(listener)?.push(event)) batches.set(listener, [event]);
    }
    for (const [listener, batch] of batches) listener.takeEvents(batch);
  }

  /** The sessions of subagents belong to who started them. */
  #listenerOf({ properties }: OpencodeEvent): SessionListener | undefined {
    const { sessionID, info, part } = properties;
    const listener =
      this.#listeners.get(sessionID ?? info?.id ?? "") ?? this.#listeners.get(parentOf(properties) ?? "");
    const subagent = part?.state?.metadata?.sessionId ?? (parentOf(properties) === undefined ? undefined : info?.id);
    if (listener && subagent) this.#listeners.set(subagent, listener);
    return listener;
  }

  #afterExit(exit: ProcessExit): SandboxError {
    const error = lostServer(exit);
    this.#alive = false;
    this.#stopping.abort();
    const listeners = new Set(this.#listeners.values());
    this.#listeners.clear();
    for (const listener of listeners) listener.lost(error);
    // Commands that it had started go on without it.
    this.#process
      .stop()
      .catch((err: unknown) => this.#host.log.error({ err }, "an OpenCode command could not be ended"));
    return error;
  }
}

/** The process, and where it can be reached as soon as it says so. */
function spawnServer(host: AgentHost, command: string, env: Readonly<Record<string, string>>) {
  let found: (url: string) => void = () => {};
  const url = new Promise<string>((resolve) => {
    found = resolve;
  });
  const process = host.spawn({
    command,
    args: ["serve", "--hostname", "127.0.0.1", "--port", "0"],
    env,
    cwd: host.dataDir,
    label: "opencode serve",
    onLines: (lines) => {
      const address = listening.exec(lines.join("\n"))?.[1];
      if (address !== undefined) found(address);
    },
  });
  return { process, url };
}

/** Of a session that is told of; a message has a parent too, which is another message. */
function parentOf({ info }: EventProperties): string | undefined {
  return info?.role === undefined ? info?.parentID : undefined;
}

async function firstOf(url: Promise<string>, process: AgentProcess): Promise<string> {
  const timer = new AbortController();
  const timeout = new Promise<never>((_, reject) => {
    const late = () =>
      reject(new SandboxError("timeout", "OpenCode did not start in a minute. Try again.", { agent: "opencode" }));
    const handle = setTimeout(late, START_TIMEOUT_MS);
    timer.signal.addEventListener("abort", () => clearTimeout(handle));
  });
  const exited = process.exited.then((exit) => {
    throw lostServer(exit);
  });
  return Promise.race([url, exited, timeout]).finally(() => timer.abort());
}

function lostServer(exit: ProcessExit): SandboxError {
  const sentence = (how: string): string =>
    `The OpenCode server ended (${how}). Send the message again: it is started anew and goes on with the conversation.`;
  return exitError(exit, sentence, { agent: "opencode" });
}
