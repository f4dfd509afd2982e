import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { JsonRpcCall, JsonRpcErrorObject, JsonRpcId } from "../json-rpc/json-rpc-message.ts";
import { JsonRpcPeer, type RequestOptions } from "../json-rpc/json-rpc-peer.ts";
import type { AgentProcess, ProcessExit } from "../process/agent-process.ts";
import { endSessionProcesses, sessionMarkVariable } from "../process/session-processes.ts";
import type { AcpAgent, AcpPlace, AcpQuirks } from "./acp-agent.ts";
import { type AcpInitialized, PROTOCOL_VERSION } from "./dialect.ts";
import { conformCall, conformReply } from "./dialect-shapes.ts";
import { exitError } from "./exit-error.ts";
import type { AcpLaunch } from "./launch.ts";
import type { LogWriter } from "./retry-log.ts";

const INITIALIZE_TIMEOUT_MS = 60_000;
const SIGN_IN_TIMEOUT_MS = 60_000;
/** How long a program may take to end by itself when its input ends. */
const EXIT_BY_ITSELF_MS = 1_000;

export interface ConnectionListener {
  /** The calls of one read. */
  takeCalls(calls: readonly JsonRpcCall[]): void;
  /** A line that was longer than allowed was left out. */
  leftOut(line: { bytes: number; head: string }): void;
  /** The process is gone, unless we ended it. Called once. */
  lost(error: SandboxError): void;
}

/** One process of an agent and the talk with it. */
export class AcpConnection {
  readonly #agent: AcpAgent;
  readonly #place: AcpPlace;
  readonly #process: AgentProcess;
  readonly #peer: JsonRpcPeer;
  readonly #startedAt = Date.now();
  /** Carried by all that commands of this process start. */
  readonly #mark = randomUUID();
  readonly #afterwards: (() => Promise<void>)[] = [];
  #closing: Promise<void> | undefined;
  #initialized: AcpInitialized = {};

  constructor(agent: AcpAgent, place: AcpPlace, { command, args, env }: AcpLaunch, listener: ConnectionListener) {
    this.#agent = agent;
    this.#place = place;
    const { host, session } = place;
    this.#process = host.spawn({
      command,
      args,
      cwd: session.directory,
      env: { ...env, [sessionMarkVariable]: this.#mark },
      label: `${agent.id} of session ${session.sessionId}`,
      onLines: (lines) => this.#peer.takeLines(lines),
      onOversizedLine: (line) => listener.leftOut(line),
    });
    this.#peer = new JsonRpcPeer({
      writeLine: (line) => this.#process.writeLine(line),
      onCalls: (calls) => listener.takeCalls(calls.map((call) => conformCall(this.#renamed(call)))),
      onUnreadable: (line) => host.log.debug({ line: line.slice(0, 200) }, `${agent.id} printed what is no message`),
    });
    void this.#process.exited.then((exit) => this.#afterExit(exit, listener));
  }

  /** Who writes the log of a conversation. */
  logWriter(nativeSessionId: string): LogWriter {
    const { env } = this.#place;
    return { env, pid: this.#process.pid, startedAt: this.#startedAt, nativeSessionId };
  }

  /** Done when the process is gone, however it went. */
  whenClosed(afterwards: () => Promise<void>): void {
    this.#afterwards.push(afterwards);
  }

  get initialized(): AcpInitialized {
    return this.#initialized;
  }

  /** Shake hands and sign in. */
  async initialize(): Promise<void> {
    const { displayName, id, quirks = {} } = this.#agent;
    const params = {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: clientCapabilities(quirks),
      clientInfo: { name: "sandbox-agent", title: "Sandbox Agent", version: "0.1.0" },
    };
    const answer = await this.request<AcpInitialized | undefined>("initialize", params, {
      timeoutMs: INITIALIZE_TIMEOUT_MS,
    });
    this.#initialized = answer ?? {};
    const version = this.#initialized.protocolVersion;
    if (version !== undefined && version !== PROTOCOL_VERSION) {
      const sentence = `${displayName} speaks version ${version} of the Agent Client Protocol, we speak ${PROTOCOL_VERSION}. Use another version of it.`;
      throw new SandboxError("stream_error", sentence, { agent: id });
    }
    const methodId = quirks.signIn?.(this.#initialized, this.#place.env);
    if (methodId !== undefined) await this.request("authenticate", { methodId }, { timeoutMs: SIGN_IN_TIMEOUT_MS });
  }

  async request<T = unknown>(method: string, params: object, options?: RequestOptions): Promise<T> {
    return conformReply(method, await this.#peer.request(method, params, options)) as T;
  }

  notify(method: string, params: object): Promise<void> {
    return this.#peer.notify(method, params);
  }

  respond(id: JsonRpcId, result: unknown): Promise<void> {
    return this.#peer.respond(id, result);
  }

  refuse(id: JsonRpcId, error: JsonRpcErrorObject): Promise<void> {
    return this.#peer.refuse(id, error);
  }

  /** Ends what commands detached from the agent since then, a moment of `processClock`; the agent does not know of it. */
  endDetached(since: number): Promise<void> {
    return endSessionProcesses(this.#mark, { since, leftOf: this.#process.pid });
  }

  /** End the process; politely when it has nothing to do. When it resolves no process is left. */
  close({ politely }: { politely: boolean }): Promise<void> {
    this.#closing ??= this.#close(politely);
    return this.#closing;
  }

  async #close(politely: boolean): Promise<void> {
    if (politely && !this.#agent.quirks?.ignoresEof) {
      this.#process.endInput();
      await Promise.race([this.#process.exited, sleep(EXIT_BY_ITSELF_MS, undefined, { ref: false })]);
    }
    await this.#stop();
  }

  async #stop(): Promise<void> {
    await this.#process.stop();
    await Promise.all(this.#afterwards.map((afterwards) => afterwards()));
  }

  #renamed(call: JsonRpcCall): JsonRpcCall {
    return call.method === this.#agent.quirks?.updateMethod ? { ...call, method: "session/update" } : call;
  }

  #afterExit(exit: ProcessExit, listener: ConnectionListener): void {
    const error = exitError(this.#agent, this.#place.session.sessionId, exit);
    const wasOurs = this.#closing !== undefined;
    this.#peer.close(error);
    this.#closing ??= this.#stop();
    this.#closing.catch((err: unknown) => this.#place.host.log.error({ err }, "what an agent left could not be ended"));
    if (!wasOurs) listener.lost(error);
  }
}

function clientCapabilities({ offers = {}, clientMeta }: AcpQuirks): object {
  const { files = false, terminals = false } = offers;
  return {
    fs: { readTextFile: files, writeTextFile: files },
    terminal: terminals,
    elicitation: { form: {} },
    session: { compaction: {}, notice: {} },
    ...(clientMeta ? { _meta: clientMeta } : {}),
  };
}
