import type {
  AgentProcess,
  AgentSession,
  OpenOptions,
  ProcessExit,
  PromptInput,
  TurnOutcome,
} from "@sandbox-agent-ts/agents";
import { type EventDraft, type PermissionReply, SandboxError } from "@sandbox-agent-ts/protocol";
import { afterRestart, convertLines, createFakeState, endCall, type FakeState } from "./fake-agent-convert.ts";
import type { FakeInput } from "./fake-agent-dialect.ts";
import { fakeAgentPath } from "./fake-agent-path.ts";

export interface FakeSessionLimits {
  readonly maxLineBytes?: number;
  readonly graceMs?: number;
}

interface RunningTurn {
  resolve(outcome: TurnOutcome): void;
  reject(error: unknown): void;
}

/**
 * A conversation with one persistent process: started by the first prompt, started anew when it was lost. Lines become
 * events in `convertLines`; here is only what has an effect.
 */
export class FakeAgentSession implements AgentSession {
  readonly #options: OpenOptions;
  readonly #limits: FakeSessionLimits;
  /** Also those that exited, until what they left behind is gone. */
  readonly #processes = new Set<AgentProcess>();
  #process: AgentProcess | null = null;
  #turn: RunningTurn | null = null;
  #state: FakeState;
  #nativeSessionId: string | undefined;
  #closed = false;

  constructor(options: OpenOptions, limits: FakeSessionLimits) {
    this.#options = options;
    this.#limits = limits;
    this.#state = createFakeState(options.itemPrefix, options.session.directory);
    this.#nativeSessionId = options.nativeSessionId;
  }

  prompt({ message }: PromptInput): Promise<TurnOutcome> {
    return new Promise((resolve, reject) => {
      this.#turn = { resolve, reject };
      this.#send({ type: "prompt", text: message }).catch(reject);
    });
  }

  async interrupt(): Promise<void> {
    if (this.#turn) await this.#send({ type: "interrupt" });
  }

  async answerPermission(permissionId: string, reply: PermissionReply, reason?: string): Promise<void> {
    const asked = this.#state.permissions.get(permissionId);
    if (asked === undefined) return;
    const { state, events } = endCall(this.#state, permissionId, reply);
    this.#state = state;
    this.#emit(events);
    const told = reason === undefined ? {} : { reason };
    await this.#send({ type: "permission_reply", id: asked.nativeId, reply, ...told });
  }

  async answerQuestion(): Promise<void> {}

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(Array.from(this.#processes, (process) => process.stop()));
  }

  /** A process that takes no input is of no use: it is ended, and its exit rejects the turn. */
  async #send(input: FakeInput): Promise<void> {
    if (this.#closed) throw new SandboxError("session_ended", "The fake agent's session was closed. Open a new one.");
    this.#process ??= this.#start();
    const process = this.#process;
    try {
      await process.writeLine(JSON.stringify(input));
    } catch {
      await process.stop();
    }
  }

  #start(): AgentProcess {
    const { host, session } = this.#options;
    const resume = this.#nativeSessionId === undefined ? [] : ["--session", this.#nativeSessionId];
    const process = host.spawn({
      ...this.#limits,
      command: globalThis.process.execPath,
      args: [fakeAgentPath, ...resume],
      cwd: session.directory,
      env: { ...host.env, ...session.env },
      label: `fake agent of session ${session.sessionId}`,
      onLines: (lines) => this.#takeLines(lines),
      onOversizedLine: (line) => this.#emit([leftOut(line)]),
    });
    this.#processes.add(process);
    void process.exited.then((exit) => this.#afterExit(process, exit));
    return process;
  }

  #takeLines(lines: readonly string[]): void {
    if (this.#closed) return;
    const { state, events, nativeSessionId, outcome } = convertLines(this.#state, lines);
    this.#state = state;
    if (nativeSessionId !== undefined) this.#rememberNativeId(nativeSessionId);
    this.#emit(events);
    if (outcome) this.#endTurn()?.resolve(outcome);
  }

  #emit(events: readonly EventDraft[]): void {
    if (!this.#closed && events.length > 0) this.#options.emit(events);
  }

  #rememberNativeId(id: string): void {
    if (id === this.#nativeSessionId) return;
    this.#nativeSessionId = id;
    this.#options.setNativeSessionId(id);
  }

  #endTurn(): RunningTurn | null {
    const turn = this.#turn;
    this.#turn = null;
    return turn;
  }

  #afterExit(process: AgentProcess, exit: ProcessExit): void {
    this.#process = null;
    this.#state = afterRestart(this.#state);
    this.#endTurn()?.reject(exitError(exit, this.#options.session.sessionId));
    process.stop().then(
      () => this.#processes.delete(process),
      (err) => this.#options.host.log.error({ err }, "a process of the fake agent could not be ended"),
    );
  }
}

function leftOut({ bytes, head }: { bytes: number; head: string }): EventDraft {
  const message = `The fake agent printed a line of ${bytes} bytes, more than is allowed; it was left out.`;
  const data = { message, code: "stream_error", details: { bytes, head } };
  return { type: "error", data, source: "daemon", synthetic: true };
}

function exitError(exit: ProcessExit, sessionId: string): SandboxError {
  const { exitCode, signal, stderr } = exit;
  const how = exit.spawnError?.message ?? (signal ? `it got ${signal}` : `exit code ${exitCode}`);
  return new SandboxError(
    "agent_process_exited",
    `The fake agent ended in the middle of a turn (${how}). Send the message again to start it anew.`,
    { agent: "fake", sessionId, details: { exitCode, signal, stderr }, cause: exit.spawnError ?? exit.outputError },
  );
}
