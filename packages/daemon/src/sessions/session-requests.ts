import type { AgentLogger, AgentSession } from "@sandbox-agent-ts/agents";
import {
  daemonEvent,
  type EventDraft,
  type EventPayload,
  type PermissionReplyRequest,
  type RequestResolver,
  SandboxError,
} from "@sandbox-agent-ts/protocol";
import type { AgentLink } from "./agent-link.ts";
import { type Gated, gateRequests } from "./policy-gate.ts";
import { RequestTimers } from "./request-timers.ts";
import type { SessionConfig } from "./session-config.ts";
import type { SessionRecorder } from "./session-recorder.ts";

export interface SessionRequestsOptions {
  readonly recorder: SessionRecorder;
  readonly agent: AgentLink;
  /** The settings that hold now. */
  readonly config: () => SessionConfig;
  /** Whether a file was sent with a message. */
  readonly isAttached: (path: string) => boolean;
  readonly log: AgentLogger;
}

/** The answers to what the agent asks: of a person, of the session's policy, or of the time that passed. */
export class SessionRequests {
  readonly #options: SessionRequestsOptions;
  readonly #timers: RequestTimers;

  constructor(options: SessionRequestsOptions) {
    this.#options = options;
    this.#timers = new RequestTimers({
      state: () => options.recorder.state,
      limit: () => options.config().requestTimeout,
      onPermission: (id, reply, reason) => this.#onTime(this.replyPermission(id, { reply, reason }, "timeout")),
      onQuestion: (id, answers, reason) => this.#onTime(this.replyQuestion(id, answers, "timeout", reason)),
    });
  }

  /** What the agent said, with what the policy decides resolved; `tell` it when it is in the log. */
  gate(drafts: readonly EventDraft[]): Gated {
    if (!drafts.some(({ type }) => type === "permission.requested")) return { drafts, decisions: [] };
    return gateRequests(drafts, this.#options.config(), this.#options.isAttached);
  }

  tell(gated: Gated): void {
    for (const { permission_id, reply, reason } of gated.decisions) {
      const answer = [permission_id, reply ?? "reject", reason ?? undefined, "policy"] as const;
      void this.#options.agent.tell((agent) => agent.answerPermission(...answer));
    }
    if (gated.drafts.some(isRequestEvent)) this.refresh();
  }

  /** Requests came or went, or the time they may wait changed. */
  refresh(): void {
    this.#timers.refresh();
  }

  stop(): void {
    this.#timers.stop();
  }

  /** Into the log first, where the first decision wins, then to the agent. */
  async replyPermission(
    permissionId: string,
    { reply, reason }: PermissionReplyRequest,
    resolvedBy: RequestResolver = "person",
  ): Promise<void> {
    const { recorder } = this.#options;
    await recorder.mended();
    const { permissions } = recorder.state;
    const pending = Object.hasOwn(permissions, permissionId) ? permissions[permissionId] : undefined;
    if (!pending) throw await whyNotPending(recorder, "permission", permissionId);
    const status = reply === "reject" ? "denied" : "approved";
    const words = reason?.trim() || undefined;
    const decision = {
      type: "permission.resolved",
      data: { ...pending, status, reply, resolved_by: resolvedBy, ...(words === undefined ? {} : { reason: words }) },
    } as const;
    await this.#decide(decision, (agent) => agent.answerPermission(permissionId, reply, words, resolvedBy));
  }

  /** The answers, or `null` for none: into the log first, where the first one wins, then to the agent. */
  async replyQuestion(
    questionId: string,
    given: string[][] | null,
    resolvedBy: RequestResolver = "person",
    reason?: string,
  ): Promise<void> {
    const { recorder } = this.#options;
    await recorder.mended();
    const { questions } = recorder.state;
    const pending = Object.hasOwn(questions, questionId) ? questions[questionId] : undefined;
    if (!pending) throw await whyNotPending(recorder, "question", questionId);
    const answers = given && allAnswers(pending.questions?.length ?? 1, given, recorder.log.sessionId);
    const resolution = answers
      ? { status: "answered" as const, answers, response: (answers[0] ?? []).join(", ") }
      : { status: "rejected" as const };
    const why = { resolved_by: resolvedBy, ...(reason === undefined ? {} : { reason }) };
    const decision = { type: "question.resolved", data: { ...pending, ...resolution, ...why } } as const;
    await this.#decide(decision, (agent) => agent.answerQuestion(questionId, answers));
  }

  /** Once it is in the log a decision stands: the agent is told also if it could not be made durable. */
  async #decide(decision: EventPayload, say: (agent: AgentSession) => Promise<void>): Promise<void> {
    const { recorder, agent } = this.#options;
    await recorder.record([daemonEvent(decision)]);
    this.refresh();
    try {
      await recorder.log.sync();
    } finally {
      await agent.tell(say);
    }
  }

  /** Somebody answered in the last moment, or the disk is full: then the turn is ended anyway. */
  #onTime(answer: Promise<void>): void {
    const { recorder, log } = this.#options;
    answer.catch((err: unknown) => {
      log.warn({ err, sessionId: recorder.log.sessionId }, "a request that timed out could not be answered");
    });
  }
}

function isRequestEvent({ type }: EventDraft): boolean {
  return type.startsWith("permission.") || type.startsWith("question.");
}

/** One answer per question. Those that are missing are none: a client of 0.1.x knows only the first question. */
function allAnswers(expected: number, answers: string[][], sessionId: string): string[][] {
  if (answers.length <= expected) return Array.from({ length: expected }, (_, index) => answers[index] ?? []);
  throw new SandboxError(
    "invalid_request",
    `There are ${expected} questions and ${answers.length} answers. Send at most one array of labels for each question.`,
    { sessionId, details: { issues: [{ path: "answers", message: `expected at most ${expected} arrays` }] } },
  );
}

/** The log knows every request there ever was, so nothing has to be remembered for late answers. */
async function whyNotPending(
  recorder: SessionRecorder,
  kind: "permission" | "question",
  id: string,
): Promise<SandboxError> {
  const { sessionId } = recorder.log;
  const mark = Buffer.from(`"${kind}_id":${JSON.stringify(id)}`).toString("latin1");
  for await (const chunk of recorder.log.read(0, Number.POSITIVE_INFINITY, false)) {
    if (chunk.text.includes(mark)) {
      return new SandboxError("request_already_resolved", `The ${kind} "${id}" has been settled already.`, {
        sessionId,
      });
    }
  }
  return new SandboxError("request_not_found", `This session has no ${kind} "${id}".`, { sessionId });
}
