import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type EventDraft, type PermissionReply, SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentSession, OpenOptions, PromptInput, TurnOutcome } from "../../agent.ts";
import { sessionImages } from "../../files/session-folders.ts";
import { saveImages } from "../../images/save-images.ts";
import { JsonRpcError } from "../../json-rpc/json-rpc-error.ts";
import type { JsonRpcCall } from "../../json-rpc/json-rpc-message.ts";
import { lostConversation } from "../../notices/lost-conversation.ts";
import { callSetting } from "../../permissions/permission-data.ts";
import { isReallyInside } from "../../permissions/really-inside.ts";
import { endSessionProcesses, processClock } from "../../process/session-processes.ts";
import { afterPlan, planModeLeft } from "../../questions/plan-question.ts";
import { RetryPatience } from "../../retries/retry-patience.ts";
import type { ServerPlace } from "../../shared-server/shared-servers.ts";
import { sessionInstructions } from "../../skills/session-instructions.ts";
import { refuseAllowRules } from "./allow-rules.ts";
import { type LoadedThread, loadThread, unloadThread } from "./codex-thread.ts";
import { usesOf } from "./convert/allowed-uses.ts";
import { permissionAnswer, questionAnswer } from "./convert/answers.ts";
import { afterLoss, type CodexState, createCodexState, type OpenRequest, type TurnEnd } from "./convert/codex-state.ts";
import { errorData } from "./convert/error-sentence.ts";
import { addUsage } from "./convert/turn-usage.ts";
import { convertCalls } from "./convert.ts";
import { askAboutPlan, type PlanDecision, planDecision } from "./plan-approval.ts";
import type { AppServer, ThreadListener } from "./server/app-server.ts";
import { memoryOf, readMemory } from "./session-memory.ts";
import { endShells, interruptTurns } from "./stop-turns.ts";
import { subagentRoles } from "./subagent-roles.ts";
import { threadParams, turnParams } from "./thread-settings.ts";
import { userInput } from "./user-input.ts";

/** How long a turn may take to end when the session is closed. */
const CLOSE_TURN_MS = 1_000;

const implementPlan = [{ type: "text", text: "Implement the plan." }];

const rejectedPlan = (feedback: string) => [{ type: "text", text: `The user rejected the plan and said: ${feedback}` }];

interface RunningPrompt {
  /** A person wants it to stop. */
  stopping: boolean;
  /** The server was told to begin a turn, which is lost with it. */
  isBegun: boolean;
  /** The plan that a person is asked about. */
  plan?: { readonly questionId: string; decide(decision: PlanDecision): void };
  end(outcome: TurnOutcome): void;
  fail(error: SandboxError): void;
}

/** A conversation: a thread of an app-server, loaded for the first prompt and loaded anew when the server was lost. */
export class CodexSession implements AgentSession, ThreadListener {
  readonly #options: OpenOptions;
  readonly #place: ServerPlace<AppServer>;
  readonly #release: () => Promise<void>;
  /** Turns that were interrupted: doing so twice is never answered. */
  readonly #interrupted = new Set<string>();
  readonly #patience: RetryPatience;
  /** Carried by all that commands of this conversation start. */
  readonly #mark = randomUUID();
  #state: CodexState;
  #thread: LoadedThread | undefined;
  #loading: Promise<LoadedThread> | undefined;
  #prompt: RunningPrompt | undefined;
  #waitingForEnd: ((end: TurnEnd) => void)[] = [];
  #planning: boolean;
  #closing: Promise<void> | undefined;

  constructor(options: OpenOptions, place: ServerPlace<AppServer>, release: () => Promise<void>) {
    const { session, host, itemPrefix } = options;
    const { permissionMode, agentMode } = session;
    this.#options = options;
    this.#place = place;
    this.#release = release;
    this.#patience = new RetryPatience(host.env, () => this.#giveUp());
    const { allowed } = readMemory(options.memory);
    this.#planning = agentMode === "plan" || permissionMode === "plan";
    const setting = {
      itemPrefix,
      calls: callSetting(options),
      permissionMode: this.#planning ? "plan" : permissionMode,
      imagesDir: sessionImages(host.dataDir, session.sessionId),
      isInside: (path: string) => isReallyInside(session.directory, path),
    };
    this.#state = { ...createCodexState(setting), threadId: options.nativeSessionId, allowed: new Set(allowed) };
  }

  /** Everything that can be found wrong before the first prompt. */
  async check(): Promise<void> {
    await this.#threadParams();
    await this.#refuseAllowRules();
    await this.#place.get();
  }

  async #refuseAllowRules(): Promise<void> {
    const { session, host } = this.#options;
    if (this.#planning) await refuseAllowRules(session, { ...host.env, ...session.env });
  }

  async prompt(input: PromptInput): Promise<TurnOutcome> {
    if (this.#closing) throw this.#closedError();
    try {
      return await new Promise((resolve, reject) => {
        const prompt: RunningPrompt = { stopping: false, isBegun: false, end: resolve, fail: reject };
        this.#prompt = prompt;
        this.#run(input, prompt).then(resolve, reject);
      });
    } finally {
      this.#prompt = undefined;
      this.#patience.end();
    }
  }

  async interrupt(): Promise<void> {
    if (!this.#prompt) return;
    this.#prompt.stopping = true;
    this.#prompt.plan?.decide("interrupted");
    await this.#interruptTurns();
    if (this.#prompt) await this.#place.endIfSilent();
  }

  async answerPermission(permissionId: string, reply: PermissionReply, reason?: string): Promise<void> {
    const request = this.#takeRequest(permissionId);
    if (!request) return;
    if (request.asked.type === "permission" && reply === "always") this.#allowAlways(request.asked.data.metadata ?? {});
    if (reply === "reject" && reason !== undefined) await this.#steer(reason);
    await this.#thread?.server.respond(request.rpcId, permissionAnswer(request.answer, reply));
  }

  /** Words for the model with its next request; a refusal takes none. */
  async #steer(reason: string): Promise<void> {
    const thread = this.#thread;
    const turnId = thread && this.#state.activeTurns.get(thread.threadId);
    if (!thread || turnId === undefined) return;
    const input = [{ type: "text", text: `The user rejected this and said: ${reason}` }];
    await thread.server
      .request("turn/steer", { threadId: thread.threadId, expectedTurnId: turnId, input })
      .catch((err: unknown) => this.#options.host.log.warn({ err }, "the reason of a rejection was not taken"));
  }

  async answerQuestion(questionId: string, answers: readonly (readonly string[])[] | null): Promise<void> {
    const plan = this.#prompt?.plan;
    if (plan?.questionId === questionId) plan.decide(planDecision(answers));
    const request = this.#takeRequest(questionId);
    if (request) await this.#thread?.server.respond(request.rpcId, questionAnswer(request.answer, answers));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  takeCalls(calls: readonly JsonRpcCall[]): void {
    const { state, drafts, images, answers, refused, ended } = convertCalls(this.#state, calls);
    this.#state = state;
    this.#patience.watch(this.#prompt !== undefined && state.retrying !== undefined);
    if (!this.#closing) saveImages(images);
    this.#emit(drafts);
    for (const { id, result } of answers) this.#tell(this.#thread?.server.respond(id, result));
    for (const id of refused) this.#tell(this.#thread?.server.refuse(id));
    if (ended) this.#endTurn(ended);
    if (this.#prompt?.stopping) this.#tell(this.#interruptTurns());
  }

  #giveUp(): void {
    this.#state = { ...this.#state, givenUp: this.#state.retrying };
    this.#tell(this.#interruptTurns());
  }

  lost(error: SandboxError): void {
    this.#thread = undefined;
    this.#state = afterLoss(this.#state);
    this.#waitingForEnd = [];
    if (this.#prompt?.stopping) this.#prompt.end({ reason: "interrupted" });
    else if (this.#prompt?.isBegun) this.#prompt.fail(error);
  }

  async #run(input: PromptInput, prompt: RunningPrompt): Promise<TurnOutcome> {
    const first = await this.#runTurn(await userInput(input, this.#options.session.directory), prompt);
    const { plan: _, ...outcome } = await this.#afterPlan(first, prompt);
    const model = this.#thread?.model ? { model: this.#thread.model } : {};
    return { ...outcome, ...model, ...(prompt.stopping ? { reason: "interrupted" } : {}) };
  }

  async #runTurn(input: object[], prompt: RunningPrompt): Promise<TurnEnd> {
    await this.#refuseAllowRules();
    const thread = await this.#load();
    // A turn on a busy thread would not wait for its turn but change the one that runs.
    while (this.#state.activeTurns.has(thread.threadId)) await this.#nextEnd();
    if (prompt.stopping || this.#closing) return { reason: "interrupted" };
    const ended = this.#nextEnd();
    const begun = processClock();
    const { session } = this.#options;
    const settings = turnParams(session, this.#state.setting.permissionMode, thread.model, this.#planning);
    prompt.isBegun = true;
    try {
      await thread.server.request("turn/start", { threadId: thread.threadId, input, ...settings });
    } catch (error) {
      if (error instanceof JsonRpcError) return this.#refusedTurn(error);
      throw error;
    }
    const end = await ended;
    if (prompt.stopping) await this.#endCommands(thread, { since: begun });
    return end;
  }

  #refusedTurn(error: JsonRpcError): TurnEnd {
    this.#waitingForEnd = [];
    // It is loaded anew for the next turn, whatever was wrong with it.
    this.#thread = undefined;
    const data = errorData({ message: error.message });
    this.#emit([{ type: "error", data, source: "agent", synthetic: false }]);
    return { reason: "error", message: data.message };
  }

  /** A plan is carried out, or made anew with what the person said of it. */
  async #afterPlan(proposed: TurnEnd, prompt: RunningPrompt): Promise<TurnEnd> {
    const { plan } = proposed;
    if (plan === undefined || !this.#planning) return proposed;
    const questionId = `${this.#state.setting.itemPrefix}plan${this.#state.itemCount}`;
    const decision = await new Promise<PlanDecision>((decide) => {
      prompt.plan = { questionId, decide };
      this.#emit([askAboutPlan(questionId, plan)]);
      if (prompt.stopping) decide("interrupted");
    });
    delete prompt.plan;
    if (decision === "reject" || decision === "interrupted") return proposed;
    if (decision === "approve") {
      this.#leavePlanMode();
      this.#emit([planModeLeft(this.#options.session)]);
    }
    const next = decision === "approve" ? implementPlan : rejectedPlan(decision.feedback);
    const done = await this.#runTurn(next, prompt);
    const usage = addUsage(proposed.usage, done.usage);
    return this.#afterPlan({ ...done, ...(usage === undefined ? {} : { usage }) }, prompt);
  }

  #allowAlways(asked: Record<string, unknown>): void {
    this.#state = { ...this.#state, allowed: new Set([...this.#state.allowed, ...usesOf(asked)]) };
    this.#options.remember(memoryOf(this.#state));
  }

  #leavePlanMode(): void {
    this.#planning = false;
    const permissionMode = afterPlan(this.#options.session).permission_mode;
    this.#state = { ...this.#state, setting: { ...this.#state.setting, permissionMode } };
  }

  async #load(): Promise<LoadedThread> {
    // A server that does not answer is replaced, and the thread lost with it.
    if (this.#thread) await this.#place.endIfSilent();
    if (this.#thread) return this.#thread;
    this.#loading ??= this.#loadThread().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadThread(): Promise<LoadedThread> {
    const { session, itemPrefix, setNativeSessionId } = this.#options;
    const params = await this.#threadParams();
    const server = await this.#place.get();
    const known = this.#state.threadId;
    const thread = await loadThread(server, known, params, session);
    this.#thread = thread;
    this.#state = { ...this.#state, threadId: thread.threadId };
    server.attach(thread.threadId, this);
    if (thread.threadId !== known) setNativeSessionId(thread.threadId);
    if (thread.isReplacement && known) this.#emit(lostConversation("Codex", `${itemPrefix}lost-${known}`, known));
    return thread;
  }

  async #threadParams(): Promise<object> {
    const { session, host } = this.#options;
    const roles = await subagentRoles(host, session);
    return threadParams(session, await sessionInstructions(host, session), this.#mark, roles);
  }

  #nextEnd(): Promise<TurnEnd> {
    return new Promise((resolve) => this.#waitingForEnd.push(resolve));
  }

  #endTurn(end: TurnEnd): void {
    const waiting = this.#waitingForEnd;
    this.#waitingForEnd = [];
    for (const resolve of waiting) resolve(end);
  }

  #interruptTurns(): Promise<void> {
    return interruptTurns(this.#thread?.server, this.#state, this.#interrupted);
  }

  async #close(): Promise<void> {
    this.#prompt?.fail(this.#closedError());
    const thread = this.#thread ?? (await this.#loading?.catch(() => undefined));
    try {
      if (thread) await this.#letGo(thread);
    } finally {
      thread?.server.detach(this);
      await this.#release();
    }
  }

  async #letGo(thread: LoadedThread): Promise<void> {
    if (this.#state.activeTurns.size > 0) {
      const ended = this.#nextEnd();
      await this.#interruptTurns();
      await Promise.race([ended, sleep(CLOSE_TURN_MS, undefined, { ref: false })]);
    }
    await this.#endCommands(thread);
    await unloadThread(thread).catch((err: unknown) => this.#options.host.log.debug({ err }, "unloading failed"));
  }

  /** What Codex knows of, then what left its sight. */
  async #endCommands({ server, threadId }: LoadedThread, which: { since?: number } = {}): Promise<void> {
    await endShells(server, threadId, this.#state);
    await endSessionProcesses(this.#mark, which);
  }

  #takeRequest(id: string): OpenRequest | undefined {
    const requests = new Map(this.#state.requests);
    const request = requests.get(id);
    requests.delete(id);
    this.#state = { ...this.#state, requests };
    return request;
  }

  #emit(drafts: readonly EventDraft[]): void {
    if (!this.#closing && drafts.length > 0) this.#options.emit(drafts);
  }

  /** What is said to a server that may just be gone; its end is told elsewhere. */
  #tell(saying: Promise<void> | undefined): void {
    saying?.catch((err: unknown) => this.#options.host.log.debug({ err }, "the Codex app-server did not hear"));
  }

  #closedError(): SandboxError {
    const { sessionId } = this.#options.session;
    return new SandboxError("session_ended", "The Codex session was closed. Open it again.", {
      agent: "codex",
      sessionId,
    });
  }
}
