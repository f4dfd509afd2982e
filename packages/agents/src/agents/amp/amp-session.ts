import { type EventDraft, type PermissionReply, SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentSession, OpenOptions, PromptInput, TurnOutcome } from "../../agent.ts";
import { saveImages } from "../../images/save-images.ts";
import { lostConversation } from "../../notices/lost-conversation.ts";
import { callSetting } from "../../permissions/permission-data.ts";
import type { AgentProcess, ProcessExit } from "../../process/agent-process.ts";
import { type AmpState, beginTurn, createAmpState } from "./convert/amp-state.ts";
import { convertLines } from "./convert/convert-lines.ts";
import { maySignIn } from "./credentials.ts";
import { isLostThread, isUnknownFlag, lostTurn, refusalOf } from "./exits.ts";
import { type Failure, failureOf, notSignedIn } from "./failures.ts";
import { type LaunchStyle, launchArgs, launchEnv, launchStyles } from "./launch.ts";
import { PermissionDesk } from "./permissions/permission-desk.ts";
import { PermissionRequests } from "./permissions/permission-requests.ts";
import type { ProgramFlags } from "./program-flags.ts";
import { plainText, promptContent } from "./prompt-content.ts";
import { type SessionFiles, writeLaunchFiles } from "./session-files.ts";
import { permissionModeOf, refuseOverrides } from "./session-settings.ts";
import { readWorkspaceSettings } from "./user-settings.ts";

/** A program that has told the end of its turn is not needed for longer. */
const EXIT_LIMIT_MS = 5_000;
/** Without a key Amp asks for one on its stdout, and waits for ever. */
const loginPrompt = /^No API key found/;

export interface AmpSessionOptions extends OpenOptions {
  readonly binary: string;
  readonly flags: Promise<ProgramFlags>;
  readonly files: SessionFiles;
}

interface RunningTurn {
  readonly input: PromptInput;
  process?: AgentProcess;
  interrupted: boolean;
  /** Why it is given up, where Amp would not end by itself. */
  failure?: Failure;
  reject(error: unknown): void;
}

/**
 * A conversation with one process per turn: the first begins a thread in Amp's service, the others go on with it. Lines
 * become events in `convertLines`; here is only what has an effect.
 */
export class AmpSession implements AgentSession {
  readonly #options: AmpSessionOptions;
  readonly #requests: PermissionRequests;
  /** Also those that exited, since what they started may still run. */
  readonly #processes = new Set<AgentProcess>();
  #desk: Promise<PermissionDesk> | undefined;
  #state: AmpState;
  #threadId: string | undefined;
  #turn: RunningTurn | null = null;
  /** How many ways to start the program it did not understand. */
  #refusedStyles = 0;
  #closed = false;

  constructor(options: AmpSessionOptions) {
    this.#options = options;
    this.#threadId = options.nativeSessionId;
    this.#state = createAmpState(options.itemPrefix, options.files.imagesDir);
    this.#requests = new PermissionRequests({
      mode: permissionModeOf(options.session),
      setting: callSetting(options),
      idPrefix: `${options.itemPrefix}p`,
      calls: () => this.#state.calls,
      isAsking: () => this.#turn !== null && !this.#turn.interrupted && !this.#closed,
      emit: (drafts) => this.#emit(drafts),
      memory: options.memory,
      remember: options.remember,
    });
  }

  prompt(input: PromptInput): Promise<TurnOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(this.#closedError());
      const turn: RunningTurn = { input, interrupted: false, reject };
      this.#turn = turn;
      this.#state = beginTurn(this.#state);
      this.#run(turn)
        .finally(() => this.#endTurn(turn))
        .then(resolve, reject);
    });
  }

  async interrupt(): Promise<void> {
    const turn = this.#turn;
    if (turn === null) return;
    turn.interrupted = true;
    await turn.process?.stop();
  }

  async answerPermission(permissionId: string, reply: PermissionReply, reason?: string): Promise<void> {
    this.#requests.answer(permissionId, reply, reason);
  }

  async answerQuestion(): Promise<void> {
    // Amp asks none.
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#turn?.reject(this.#closedError());
    this.#turn = null;
    this.#requests.endTurn();
    await Promise.all(Array.from(this.#processes, (process) => process.stop()));
    await (await this.#desk)?.close();
    await this.#options.flags.catch(() => {});
    await this.#options.files.remove();
  }

  async #run(turn: RunningTurn): Promise<TurnOutcome> {
    const { host, session } = this.#options;
    refuseOverrides(await readWorkspaceSettings(session.directory), permissionModeOf(session));
    if (!(await maySignIn({ ...host.env, ...session.env }))) return this.#failed(notSignedIn);
    const styles = launchStyles(await this.#options.flags);
    for (;;) {
      const exit = await this.#launch(turn, styles[this.#refusedStyles] as LaunchStyle);
      if (turn.interrupted || exit === undefined) return this.#outcome("interrupted");
      if (!this.#tryAgain(exit, styles)) return this.#judge(turn, exit);
    }
  }

  /** Nothing of the turn has happened, and there is another way to begin it. */
  #tryAgain(exit: ProcessExit, styles: readonly LaunchStyle[]): boolean {
    if (exit.exitCode === 0 || this.#state.result !== null || this.#closed) return false;
    if (isUnknownFlag(exit) && this.#refusedStyles + 1 < styles.length) {
      this.#refusedStyles += 1;
      return true;
    }
    if (this.#threadId === undefined || !isLostThread(exit)) return false;
    this.#emit(lostConversation("Amp", `${this.#options.itemPrefix}lost-${this.#threadId}`, this.#threadId));
    this.#threadId = undefined;
    return true;
  }

  async #judge(turn: RunningTurn, exit: ProcessExit): Promise<TurnOutcome> {
    const { result } = this.#state;
    if (turn.failure) return this.#failed(turn.failure);
    if (result !== null)
      return result.is_error ? this.#failed(failureOf(result.error ?? "")) : this.#outcome("completed");
    // Whatever a program that died has left running has nobody to report to.
    await turn.process?.stop();
    const refusal = refusalOf(exit);
    if (refusal !== undefined) return this.#failed(failureOf(refusal));
    throw lostTurn(exit, this.#options.session.sessionId);
  }

  async #launch(turn: RunningTurn, style: LaunchStyle): Promise<ProcessExit | undefined> {
    const { host, session, binary, files } = this.#options;
    const instructions = this.#threadId === undefined ? session.systemPrompt : undefined;
    const content = await promptContent(turn.input, {
      directory: session.directory,
      takesImages: style.readsInput,
      ...(instructions === undefined ? {} : { instructions }),
    });
    const desk = await this.#openDesk();
    const launchFiles = await writeLaunchFiles(host, session, files.directory, desk.path);
    if (turn.interrupted || this.#turn !== turn) return undefined;
    const thread = this.#threadId === undefined ? {} : { threadId: this.#threadId };
    const process = host.spawn({
      command: binary,
      args: launchArgs({ session, ...launchFiles, ...thread }, style, plainText(content)),
      cwd: session.directory,
      env: launchEnv(host.env, session),
      label: `amp of session ${session.sessionId}`,
      onLines: (lines) => this.#turn === turn && this.#takeLines(turn, lines),
    });
    this.#processes.add(process);
    turn.process = process;
    const line = JSON.stringify({ type: "user", message: { role: "user", content } });
    // A program that takes no input says why when it exits.
    if (style.readsInput) await process.writeLine(line).catch(() => {});
    process.endInput();
    return process.exited;
  }

  #openDesk(): Promise<PermissionDesk> {
    this.#desk ??= PermissionDesk.open(this.#options.files.directory, (use, gone) => this.#requests.ask(use, gone));
    return this.#desk;
  }

  #takeLines(turn: RunningTurn, lines: readonly string[]): void {
    if (lines.some((line) => loginPrompt.test(line))) {
      turn.failure = notSignedIn;
      void turn.process?.stop();
      return;
    }
    const converted = convertLines(this.#state, lines);
    this.#state = converted.state;
    if (converted.nativeSessionId !== undefined) this.#rememberThread(converted.nativeSessionId);
    saveImages(converted.images);
    this.#emit(converted.drafts);
    if (converted.state.result !== null) this.#endSoon(turn);
  }

  #rememberThread(id: string): void {
    if (id === this.#threadId) return;
    this.#threadId = id;
    this.#options.setNativeSessionId(id);
  }

  #endSoon({ process }: RunningTurn): void {
    const limit = setTimeout(() => void process?.stop(), EXIT_LIMIT_MS);
    void process?.exited.then(() => clearTimeout(limit));
  }

  #failed({ code, message }: Failure): TurnOutcome {
    this.#emit([{ type: "error", data: { message, code }, source: "agent", synthetic: false }]);
    return { ...this.#outcome("error"), message };
  }

  #outcome(reason: TurnOutcome["reason"]): TurnOutcome {
    const { usage } = this.#state;
    return { reason, ...(usage === null ? {} : { usage }) };
  }

  #endTurn(turn: RunningTurn): void {
    if (this.#turn !== turn) return;
    this.#turn = null;
    this.#requests.endTurn();
  }

  #emit(drafts: readonly EventDraft[]): void {
    if (!this.#closed && drafts.length > 0) this.#options.emit(drafts);
  }

  #closedError(): SandboxError {
    const { sessionId } = this.#options.session;
    const message = "The conversation with Amp was closed. Send the message again to open it anew.";
    return new SandboxError("session_ended", message, { agent: "amp", sessionId });
  }
}
