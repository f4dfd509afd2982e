import type { PermissionReply, PermissionRequestedData, QuestionRequestedData, UniversalEvent } from "../api-types.ts";
import type { SandboxAgent } from "../client.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import { type AnswerChoice, answersFor } from "./answers.ts";

/** What to do about a permission; nothing leaves it to somebody else. A `reason` is told to the model. */
export type PermissionDecision = PermissionReply | { reply: PermissionReply; reason?: string } | undefined;

/** Decides about a permission that the agent asks for. */
export type PermissionHandler = (request: PermissionRequestedData) => PermissionDecision | Promise<PermissionDecision>;

/** What to answer; `null` declines, nothing leaves the question to somebody else. */
export type QuestionDecision = AnswerChoice | null | undefined;

/** Answers a question of the agent, or the approval of a plan (`request.kind === "plan"`). */
export type QuestionHandler = (request: QuestionRequestedData) => QuestionDecision | Promise<QuestionDecision>;

/** Who answers what an agent asks. */
export interface RequestHandlers {
  /** Decides about permissions; without it they wait for somebody else. */
  readonly onPermission?: PermissionHandler | undefined;
  /** Answers questions; without it they wait for somebody else. */
  readonly onQuestion?: QuestionHandler | undefined;
}

/** Hands each request in a stream of events to its handler, once, and sends what that decides. */
export class RequestResponder {
  readonly #client: SandboxAgent;
  readonly #sessionId: string;
  readonly #handlers: RequestHandlers;
  readonly #onError: (error: unknown) => void;
  readonly #handled = new Set<string>();

  constructor(client: SandboxAgent, sessionId: string, handlers: RequestHandlers, onError: (error: unknown) => void) {
    this.#client = client;
    this.#sessionId = sessionId;
    this.#handlers = handlers;
    this.#onError = onError;
  }

  /** Does not wait: a person may take hours, and the stream goes on meanwhile. */
  take(event: UniversalEvent): void {
    if (event.type === "permission.requested") this.#once(event.data.permission_id, () => this.#permit(event.data));
    if (event.type === "question.requested") this.#once(event.data.question_id, () => this.#answer(event.data));
  }

  #once(id: string, handle: () => Promise<void>): void {
    if (this.#handled.has(id)) return;
    this.#handled.add(id);
    handle().catch((error: unknown) => {
      // Somebody else was faster, or the turn is over.
      if (error instanceof SandboxAgentError && settled.has(error.code ?? "")) return;
      this.#onError(error);
    });
  }

  async #permit(request: PermissionRequestedData): Promise<void> {
    const decision = await this.#handlers.onPermission?.(request);
    if (!decision) return;
    const reply = typeof decision === "string" ? { reply: decision } : decision;
    await this.#client.replyPermission(this.#sessionId, request.permission_id, reply);
  }

  async #answer(request: QuestionRequestedData): Promise<void> {
    const choice = await this.#handlers.onQuestion?.(request);
    if (choice === undefined) return;
    if (choice === null) return this.#client.rejectQuestion(this.#sessionId, request.question_id);
    const answers = answersFor(request, choice);
    await this.#client.replyQuestion(this.#sessionId, request.question_id, { answers });
  }
}

const settled = new Set(["request_already_resolved", "request_not_found"]);
