import type { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentHost } from "../../../agent.ts";
import { JsonRpcError, METHOD_NOT_FOUND } from "../../../json-rpc/json-rpc-error.ts";
import type { JsonRpcCall, JsonRpcId } from "../../../json-rpc/json-rpc-message.ts";
import { JsonRpcPeer, type RequestOptions } from "../../../json-rpc/json-rpc-peer.ts";
import type { AgentProcess, ProcessExit, SpawnOptions } from "../../../process/agent-process.ts";
import { exitError } from "../../../process/exit-error.ts";
import type { Launch } from "../../../shared-server/launch.ts";
import type { CodexParams } from "../dialect.ts";
import { processArgs, processEnvironment } from "./launch.ts";

const HANDSHAKE_TIMEOUT_MS = 30_000;

/** A conversation, as the server that carries it sees it. */
export interface ThreadListener {
  /** What the server said about it, all of one read. */
  takeCalls(calls: readonly JsonRpcCall[]): void;
  /** The server is gone. */
  lost(error: SandboxError): void;
}

/** A running `codex app-server` and the conversations it carries. */
export class AppServer {
  readonly startedAt = Date.now();
  readonly #host: AgentHost;
  readonly #process: AgentProcess;
  readonly #peer: JsonRpcPeer;
  readonly #threads = new Map<string, ThreadListener>();
  /** Who runs a turn, so that the threads of its subagents find their way. */
  readonly #turns = new Map<string, ThreadListener>();
  /** Settles when the process is gone. */
  readonly exited: Promise<SandboxError>;
  #alive = true;

  private constructor(host: AgentHost, program: Pick<SpawnOptions, "command" | "args" | "env">) {
    this.#host = host;
    this.#process = host.spawn({
      ...program,
      cwd: host.dataDir,
      label: "codex app-server",
      onLines: (lines) => this.#peer.takeLines(lines),
      onOversizedLine: (line) => host.log.error(line, "the Codex app-server printed a line that is too long; left out"),
    });
    this.#peer = new JsonRpcPeer({
      versioned: false,
      writeLine: (line) => this.#process.writeLine(line),
      onCalls: (calls) => this.#deliver(calls),
      onUnreadable: (line) => host.log.warn({ line: line.slice(0, 1000) }, "the Codex app-server printed no message"),
    });
    this.exited = this.#process.exited.then((exit) => this.#afterExit(exit));
  }

  static async start(host: AgentHost, launch: Launch): Promise<AppServer> {
    const args = await processArgs(launch);
    const env = await processEnvironment(launch, host.dataDir);
    const server = new AppServer(host, { command: launch.command, args, env });
    try {
      await server.#shakeHands();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  get alive(): boolean {
    return this.#alive;
  }

  async request<Result>(method: string, params: object, options?: RequestOptions): Promise<Result> {
    return (await this.#peer.request(method, params, options)) as Result;
  }

  /** Any answer is one. */
  async answers(timeoutMs: number): Promise<boolean> {
    try {
      await this.request("thread/loaded/list", {}, { timeoutMs });
      return true;
    } catch (error) {
      return error instanceof JsonRpcError;
    }
  }

  async respond(id: JsonRpcId, result: unknown): Promise<void> {
    await this.#peer.respond(id, result);
  }

  async refuse(id: JsonRpcId): Promise<void> {
    await this.#peer.refuse(id, { code: METHOD_NOT_FOUND, message: "not supported by this client" });
  }

  attach(threadId: string, listener: ThreadListener): void {
    this.#threads.set(threadId, listener);
  }

  detach(listener: ThreadListener): void {
    for (const map of [this.#threads, this.#turns]) {
      for (const [id, known] of map) if (known === listener) map.delete(id);
    }
  }

  async stop(): Promise<void> {
    this.#process.endInput();
    await this.#process.stop();
  }

  async #shakeHands(): Promise<void> {
    const clientInfo = { name: "sandbox-agent", title: "Sandbox Agent", version: "0.1.0" };
    const capabilities = { experimentalApi: true, optOutNotificationMethods: ["account/rateLimits/updated"] };
    await this.request("initialize", { clientInfo, capabilities }, { timeoutMs: HANDSHAKE_TIMEOUT_MS });
    await this.#peer.notify("initialized");
  }

  #deliver(calls: readonly JsonRpcCall[]): void {
    const batches = new Map<ThreadListener, JsonRpcCall[]>();
    for (const call of calls) {
      const listener = this.#listenerOf(call);
      if (!listener) this.#takeAlone(call);
      else if (!batches.get(listener)?.push(call)) batches.set(listener, [call]);
    }
    for (const [listener, batch] of batches) listener.takeCalls(batch);
  }

  #listenerOf({ method, params }: JsonRpcCall): ThreadListener | undefined {
    const { threadId, turn } = (params ?? {}) as CodexParams;
    if (threadId === undefined) return undefined;
    const known = this.#threads.get(threadId);
    if (method === "turn/completed") this.#turns.delete(turn?.id ?? "");
    if (method !== "turn/started") return known;
    const listener = known ?? this.#turns.get(turn?.rootTurnId ?? "");
    if (listener && turn?.id) this.#turns.set(turn.id, listener);
    if (listener) this.#threads.set(threadId, listener);
    return listener;
  }

  /** Nobody's: still every request gets an answer. */
  #takeAlone({ method, params, id }: JsonRpcCall): void {
    if (id === undefined) {
      this.#host.log.debug({ method, params }, "the Codex app-server said something that concerns no session");
      return;
    }
    const answer =
      method === "currentTime/read"
        ? this.respond(id, { currentTimeAt: Math.floor(Date.now() / 1000) })
        : this.refuse(id);
    answer.catch((err: unknown) =>
      this.#host.log.debug({ err, method }, "an answer did not reach the Codex app-server"),
    );
  }

  #afterExit(exit: ProcessExit): SandboxError {
    const error = lostServer(exit);
    this.#alive = false;
    this.#peer.close(error);
    const listeners = new Set(this.#threads.values());
    this.#threads.clear();
    this.#turns.clear();
    for (const listener of listeners) listener.lost(error);
    // What it left running is of no use to anybody.
    this.#process.stop().catch((err: unknown) => this.#host.log.error({ err }, "a Codex process could not be ended"));
    return error;
  }
}

function lostServer(exit: ProcessExit): SandboxError {
  const sentence = (how: string): string =>
    `The Codex app-server ended (${how}). Send the message again: it is started anew and goes on with the conversation.`;
  return exitError(exit, sentence, { agent: "codex" });
}
