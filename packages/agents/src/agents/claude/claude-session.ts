import { randomUUID } from "node:crypto";
import { type EventDraft, type PermissionReply, SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentSession, OpenOptions, PromptInput, TurnOutcome } from "../../agent.ts";
import { saveImages } from "../../images/save-images.ts";
import { ignoredSettings } from "../../notices/ignored-settings.ts";
import { leftOut } from "../../notices/left-out.ts";
import { lostConversation } from "../../notices/lost-conversation.ts";
import { callSetting } from "../../permissions/permission-data.ts";
import type { AgentProcess, ProcessExit } from "../../process/agent-process.ts";
import { endSessionProcesses, processClock, sessionMarkVariable } from "../../process/session-processes.ts";
import { RetryPatience } from "../../retries/retry-patience.ts";
import { type Answered, permissionAnswer, type QuestionAnswers, questionAnswer } from "./answers.ts";
import { controlRequest, initializeRequest } from "./control-request.ts";
import {
  afterRestart,
  beginTurn,
  type ClaudeState,
  createClaudeState,
  markGivenUp,
  markInterrupted,
} from "./convert/claude-state.ts";
import { convertLines } from "./convert/convert-lines.ts";
import { isLostConversation, lostTurn } from "./exits.ts";
import { HeldDrafts } from "./held-drafts.ts";
import { launchArgs, launchEnv } from "./launch.ts";
import { promptContent } from "./prompt-content.ts";
import type { SessionFiles } from "./session-files.ts";
import { memoryOf, remembersTheSame, withMemory } from "./session-memory.ts";
import { settingsSources } from "./settings-sources.ts";

export interface ClaudeSessionOptions extends OpenOptions {
  readonly binary: string;
  readonly files: SessionFiles;
  /** After this time without a prompt the process is ended; the next prompt gets a new one. */
  readonly idleMs: number;
}

const howToTrust = "To trust it, run `claude` in it once and say so, or use the permission mode bypass.";

interface RunningTurn {
  readonly promptId: string;
  /** By the clock of processes. */
  readonly begun: number;
  /** What was written to the agent; absent while attachments are read. */
  line?: object;
  resolve(outcome: TurnOutcome): void;
  reject(error: unknown): void;
}

/**
 * A conversation with one persistent process: started when the session is opened, ended when it idles for long, started
 * anew with `--resume` when it is needed and not there. Lines become events in `convertLines`; here is only what has an
 * effect.
 */
export class ClaudeSession implements AgentSession {
  readonly #options: ClaudeSessionOptions;
  readonly #held = new HeldDrafts();
  readonly #patience: RetryPatience;
  /** Carried by all that commands of this conversation start. */
  readonly #mark = randomUUID();
  /** Also those that exited, until what they left behind is gone. */
  readonly #processes = new Set<AgentProcess>();
  #process: AgentProcess | null = null;
  #turn: RunningTurn | null = null;
  #state: ClaudeState;
  /** As it was when what has to survive the process was kept last. */
  #remembered: ClaudeState;
  #conversation: { id: string; isNew: boolean } | undefined;
  /** What settings files of the directory asked for in vain, until it is told. */
  #ignored: readonly string[] = [];
  #parking: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ClaudeSessionOptions) {
    this.#options = options;
    this.#patience = new RetryPatience(options.host.env, () => this.#giveUp());
    this.#state = withMemory(
      createClaudeState({
        itemPrefix: options.itemPrefix,
        imagesDir: options.files.imagesDir,
        callSetting: callSetting(options),
        session: options.session,
      }),
      options.memory,
    );
    this.#remembered = this.#state;
    if (options.nativeSessionId !== undefined) this.#conversation = { id: options.nativeSessionId, isNew: false };
  }

  /** Start the process before there is a prompt: it takes half a second until it can take one. */
  prewarm(): void {
    void this.#write(initializeRequest());
    this.#parkLater();
  }

  async prompt(input: PromptInput): Promise<TurnOutcome> {
    if (this.#closed) throw this.#closedError();
    clearTimeout(this.#parking);
    const outcome = new Promise<TurnOutcome>((resolve, reject) => {
      this.#turn = { promptId: randomUUID(), begun: processClock(), resolve, reject };
    });
    this.#begin(this.#turn as unknown as RunningTurn, input).catch((error) => this.#endTurn()?.reject(error));
    return outcome;
  }

  async interrupt(): Promise<void> {
    const turn = this.#turn;
    if (turn === null) return;
    if (turn.line === undefined) {
      this.#endTurn()?.resolve({ reason: "interrupted" });
      return;
    }
    this.#state = markInterrupted(this.#state);
    await this.#stopWork();
  }

  async answerPermission(permissionId: string, reply: PermissionReply, reason?: string): Promise<void> {
    await this.#answer(permissionAnswer(this.#state, permissionId, reply, reason));
  }

  async answerQuestion(questionId: string, answers: QuestionAnswers): Promise<void> {
    const { permissionMode } = this.#options.session;
    await this.#answer(questionAnswer(this.#state, questionId, answers, permissionMode));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#parking);
    this.#endTurn()?.reject(this.#closedError());
    await Promise.all(Array.from(this.#processes, (process) => process.stop()));
    await this.#options.files.remove();
  }

  async #begin(turn: RunningTurn, input: PromptInput): Promise<void> {
    const content = await promptContent(input, this.#options.session.directory);
    if (this.#turn !== turn) return;
    this.#state = beginTurn(this.#state, turn.promptId);
    this.#emit(this.#held.release());
    this.#tellIgnored(turn.promptId);
    turn.line = { type: "user", uuid: turn.promptId, message: { role: "user", content } };
    await this.#write(turn.line);
  }

  #tellIgnored(promptId: string): void {
    if (this.#ignored.length === 0) return;
    this.#emit(ignoredSettings(`${this.#options.itemPrefix}ignored-${promptId}`, this.#ignored, howToTrust));
    this.#ignored = [];
  }

  async #answer(answered: Answered | undefined): Promise<void> {
    if (answered === undefined) return;
    this.#state = answered.state;
    this.#remember();
    if (this.#process) await this.#write(answered.line);
  }

  #remember(): void {
    if (remembersTheSame(this.#state, this.#remembered)) return;
    const [before, now] = [this.#remembered, this.#state].map((state) => memoryOf(state));
    this.#remembered = this.#state;
    if (JSON.stringify(before) !== JSON.stringify(now)) this.#options.remember(now);
  }

  /** Subagents in the background keep a turn from ending; a command in the background does not and may go on. */
  async #stopWork(): Promise<void> {
    if (this.#process === null) return;
    const agents = this.#state.tasks.filter(({ isAgent }) => isAgent);
    const requests = [
      { subtype: "interrupt", cancel_queued: true },
      ...agents.map(({ id }) => ({ subtype: "stop_task", task_id: id })),
    ];
    for (const request of requests) {
      await this.#write(controlRequest(request));
    }
  }

  #giveUp(): void {
    this.#state = markGivenUp(this.#state);
    void this.#stopWork();
  }

  /** A process that takes no input is of no use: it is ended, and its exit rejects the turn. */
  async #write(line: object): Promise<void> {
    if (this.#closed) return;
    this.#process ??= this.#start();
    const process = this.#process;
    try {
      await process.writeLine(JSON.stringify(line));
    } catch {
      await process.stop();
    }
  }

  #start(): AgentProcess {
    const { host, session, binary, files } = this.#options;
    const sources = settingsSources(session, { ...host.env, ...session.env });
    this.#ignored = this.#processes.size === 0 ? (sources?.ignored ?? []) : [];
    const process = host.spawn({
      command: binary,
      args: launchArgs({
        session,
        permissionMode: this.#state.permissionMode,
        sources,
        ...files.launch,
        ...(this.#conversation ? { conversation: this.#conversation } : {}),
      }),
      cwd: session.directory,
      env: { ...launchEnv(host.env, session, sources), [sessionMarkVariable]: this.#mark },
      label: `claude of session ${session.sessionId}`,
      onLines: (lines) => this.#process === process && this.#takeLines(lines),
      onOversizedLine: (line) => this.#emit([leftOut("Claude Code", line)]),
    });
    this.#processes.add(process);
    void process.exited.then((exit) => this.#afterExit(process, exit));
    return process;
  }

  #takeLines(lines: readonly string[]): void {
    let rest = lines;
    while (rest.length > 0 && !this.#closed) {
      const converted = convertLines(this.#state, rest);
      rest = converted.rest;
      this.#state = converted.state;
      this.#remember();
      if (converted.nativeSessionId !== undefined) this.#rememberConversation(converted.nativeSessionId);
      saveImages(converted.images);
      this.#emit(this.#turn === null ? this.#held.hold(converted.drafts) : converted.drafts);
      this.#patience.watch(this.#state.turn?.retrying != null);
      for (const reply of converted.replies) void this.#write(reply);
      if (converted.giveUp) void this.#stopWork();
      if (converted.outcome) this.#finishTurn(converted.outcome);
    }
  }

  #finishTurn(outcome: TurnOutcome): void {
    const turn = this.#endTurn();
    turn?.resolve(outcome);
    // Claude Code ends the commands that it knows of; the rest has left its sight.
    if (turn && outcome.reason === "interrupted" && this.#process) {
      void endSessionProcesses(this.#mark, { since: turn.begun, leftOf: this.#process.pid });
    }
  }

  #emit(drafts: readonly EventDraft[]): void {
    if (!this.#closed && drafts.length > 0) this.#options.emit(drafts);
  }

  #rememberConversation(id: string): void {
    const known = this.#conversation?.id;
    this.#conversation = { id, isNew: false };
    if (id !== known) this.#options.setNativeSessionId(id);
  }

  #endTurn(): RunningTurn | null {
    const turn = this.#turn;
    this.#turn = null;
    this.#patience.end();
    this.#parkLater();
    return turn;
  }

  #parkLater(): void {
    clearTimeout(this.#parking);
    if (this.#closed) return;
    this.#parking = setTimeout(() => this.#park(), this.#options.idleMs);
    this.#parking.unref();
  }

  #park(): void {
    if (this.#turn !== null || this.#process === null) return;
    if (!this.#state.isIdle || this.#state.tasks.length > 0) {
      this.#parkLater();
      return;
    }
    const process = this.#process;
    this.#forgetProcess();
    void this.#stop(process);
  }

  /** From now on its lines and its exit mean nothing. */
  #forgetProcess(): void {
    this.#process = null;
    this.#state = afterRestart(this.#state);
    this.#held.forgetUnfinished();
  }

  #afterExit(process: AgentProcess, exit: ProcessExit): void {
    void this.#stop(process);
    if (this.#process !== process) return;
    this.#forgetProcess();
    if (!this.#beginAnew(exit)) this.#endTurn()?.reject(lostTurn(exit, this.#options.session.sessionId));
  }

  /** A conversation whose files are gone cannot be gone on with: the prompt begins a new one, under the same id. */
  #beginAnew(exit: ProcessExit): boolean {
    const turn = this.#turn;
    const lost = this.#conversation;
    if (this.#closed || !turn?.line || !lost || lost.isNew || !isLostConversation(exit)) return false;
    this.#conversation = { id: lost.id, isNew: true };
    this.#emit(lostConversation("Claude Code", `${this.#options.itemPrefix}lost-${turn.promptId}`, lost.id));
    void this.#write(turn.line);
    return true;
  }

  async #stop(process: AgentProcess): Promise<void> {
    try {
      await process.stop();
      this.#processes.delete(process);
    } catch (err) {
      this.#options.host.log.error({ err }, "a process of Claude Code could not be ended");
    }
  }

  #closedError(): SandboxError {
    const { sessionId } = this.#options.session;
    const message = "The conversation with Claude Code was closed. Send the message again to open it anew.";
    return new SandboxError("session_ended", message, { agent: "claude", sessionId });
  }
}
