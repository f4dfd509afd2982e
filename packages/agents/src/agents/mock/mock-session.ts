import { type EventDraft, type PermissionReply, SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentSession, OpenOptions, PromptInput, TurnOutcome } from "../../agent.ts";
import { callSetting } from "../../permissions/permission-data.ts";
import { afterPlan } from "../../questions/plan-question.ts";
import { mockDraft } from "./mock-draft.ts";
import { defaultModel } from "./models.ts";
import { OpenRequests } from "./open-requests.ts";
import { chooseScenario } from "./scenarios.ts";
import { SessionMemory } from "./session-memory.ts";
import { type QuestionAnswers, Stage, type StageSession } from "./stage.ts";
import { WordCount } from "./word-count.ts";

/**
 * A conversation with the mock agent: each prompt plays the scenario its message names.
 *
 * It closes its own items, also when interrupted (as failed, with the text so far); a request that was open then is left
 * for the daemon to resolve. What it remembers of earlier prompts is its `SessionMemory`.
 */
export class MockSession implements AgentSession {
  readonly #options: OpenOptions;
  readonly #stageSession: StageSession;
  #lastId = 0;
  #abort: AbortController | null = null;
  #running: Promise<unknown> | null = null;
  #closed = false;
  #isPlanApproved = false;

  constructor(options: OpenOptions) {
    this.#options = options;
    const isPlanApproved = () => this.#isPlanApproved;
    const { permissionMode } = options.session;
    const memory = new SessionMemory(options.memory, (value) => options.remember(value));
    this.#stageSession = {
      get permissionMode() {
        return permissionMode === "plan" && isPlanApproved() ? "default" : permissionMode;
      },
      callSetting: callSetting(options),
      dataDir: options.host.dataDir,
      memory,
      permissions: new OpenRequests(),
      questions: new OpenRequests(),
      leavePlanMode: () => this.#leavePlanMode(),
      nextId: () => `${options.itemPrefix}${++this.#lastId}`,
      emit: (drafts) => this.#emit(drafts),
    };
  }

  async prompt(input: PromptInput): Promise<TurnOutcome> {
    if (this.#closed) throw this.#closedError();
    this.#stageSession.memory.hear(input.message);
    this.#abort = new AbortController();
    const outcome = this.#play(input, this.#abort.signal);
    this.#running = outcome;
    try {
      return await outcome;
    } finally {
      this.#abort = null;
      this.#running = null;
    }
  }

  async interrupt(): Promise<void> {
    this.#abort?.abort();
  }

  async answerPermission(permissionId: string, reply: PermissionReply, reason?: string): Promise<void> {
    this.#stageSession.permissions.answer(permissionId, { reply, reason });
  }

  async answerQuestion(questionId: string, answers: QuestionAnswers): Promise<void> {
    this.#stageSession.questions.answer(questionId, answers);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#abort?.abort();
    await Promise.allSettled([this.#running]);
  }

  async #play(input: PromptInput, signal: AbortSignal): Promise<TurnOutcome> {
    const words = new WordCount(input.message);
    const stage = new Stage(this.#stageSession, signal, words);
    const end = await this.#endOf(stage, input);
    if (this.#closed) throw this.#closedError();
    const model = this.#options.session.model ?? defaultModel;
    return { ...end, usage: words.usage(), cost: words.cost(), model };
  }

  /** An interrupt wins over whatever the scenario made of it. */
  async #endOf(stage: Stage, input: PromptInput): Promise<TurnOutcome> {
    try {
      const end = await chooseScenario(input.message)(stage, input);
      return stage.signal.aborted ? { reason: "interrupted" } : (end ?? { reason: "completed" });
    } catch (error) {
      stage.failOpenItems();
      if (stage.signal.aborted) return { reason: "interrupted" };
      return { reason: "error", message: `The mock agent failed: ${String(error)}` };
    }
  }

  #leavePlanMode(): void {
    this.#isPlanApproved = true;
    const { session } = this.#options;
    if (session.permissionMode !== "plan" && session.agentMode !== "plan") return;
    this.#emit([mockDraft("session.updated", { changes: afterPlan(session) })]);
  }

  #emit(drafts: readonly EventDraft[]): void {
    if (!this.#closed) this.#options.emit(drafts);
  }

  #closedError(): SandboxError {
    return new SandboxError("session_ended", "The mock agent's session is closed. Open it again to go on.", {
      agent: "mock",
      sessionId: this.#options.session.sessionId,
    });
  }
}
