import { type EventDraft, type PermissionReplyRequest, SandboxError } from "@sandbox-agent-ts/protocol";
import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import type { RuntimeStore } from "../store/runtime-store.ts";
import { asSent } from "./as-sent.ts";

const settled: readonly string[] = ["request_already_resolved", "request_not_found"];

export type Answer = { readonly permission: PermissionReplyRequest } | { readonly question: string[][] | null };

/** The answers of people to what agents of a session ask: the first one wins in the store, then the sandbox is told. */
export class RequestAnswers {
  readonly #sessionId: string;
  readonly #store: RuntimeStore;
  readonly #ask: (question: (client: SandboxAgent) => Promise<void>) => Promise<void>;
  /** Answers on their way to the sandbox or there already, by request: of two who send one at once none is told that it was late. */
  readonly #sent = new Map<string, Promise<void>>();

  constructor(
    sessionId: string,
    store: RuntimeStore,
    ask: (question: (client: SandboxAgent) => Promise<void>) => Promise<void>,
  ) {
    this.#sessionId = sessionId;
    this.#store = store;
    this.#ask = ask;
  }

  async keep(requestId: string, answer: Answer): Promise<void> {
    const kept = await this.#store.answerRequest(this.#sessionId, requestId, answer);
    if (kept === "answered") {
      throw new SandboxError("request_already_resolved", `Request "${requestId}" was answered already.`);
    }
    if (kept === undefined) throw new SandboxError("request_not_found", `There is no open request "${requestId}".`);
  }

  /**
   * Rejects with `request_already_resolved` where the agent's turn has ended without the answer, as after a crash. A daemon
   * that does not answer, because it died on the way, is asked once more.
   */
  send(requestId: string, answer: Answer): Promise<void> {
    const known = this.#sent.get(requestId);
    if (known) return known;
    const tell = () => this.#tell(requestId, answer);
    const sending = tell().catch((error: unknown) => {
      if (isUnanswered(error)) return tell();
      throw error;
    });
    this.#sent.set(requestId, sending);
    sending.catch(() => this.#sent.delete(requestId));
    return sending;
  }

  /** Where the daemon is dead another is started first, which says what has become of the turn that asked. */
  async #tell(requestId: string, answer: Answer): Promise<void> {
    await this.#ask((client) => {
      if ("permission" in answer) {
        return client.replyPermission(this.#sessionId, requestId, asSent(answer.permission));
      }
      if (answer.question === null) return client.rejectQuestion(this.#sessionId, requestId);
      return client.replyQuestion(this.#sessionId, requestId, { answers: answer.question });
    });
  }

  /** What closes requests tells the answers that people were acknowledged, though their agent is gone with its sandbox. */
  async toldIn(drafts: readonly EventDraft[]): Promise<EventDraft[]> {
    const open = await this.#store.openRequests(this.#sessionId);
    const kept = new Map(open.map(({ requestId, answer }) => [requestId, answer as Answer | undefined]));
    return drafts.map((draft): EventDraft => {
      if (draft.type === "permission.resolved") {
        const answer = kept.get(draft.data.permission_id);
        if (!answer || !("permission" in answer)) return draft;
        const { reply } = answer.permission;
        const status = reply === "reject" ? "denied" : "approved";
        return { ...draft, data: { ...draft.data, reply, status, resolved_by: "person" } };
      }
      if (draft.type !== "question.resolved") return draft;
      const answer = kept.get(draft.data.question_id);
      const answers = answer && "question" in answer ? answer.question : null;
      if (!answers) return draft;
      const response = (answers[0] ?? []).join(", ");
      return { ...draft, data: { ...draft.data, status: "answered", answers, response, resolved_by: "person" } };
    });
  }

  /** Those of which nobody knows whether the sandbox was told: that it has an answer already is as good. */
  async sendKept(): Promise<void> {
    const open = await this.#store.openRequests(this.#sessionId);
    const ids = new Set(open.map(({ requestId }) => requestId));
    for (const requestId of this.#sent.keys()) if (!ids.has(requestId)) this.#sent.delete(requestId);
    for (const { requestId, answer } of open) {
      if (answer === undefined) continue;
      try {
        await this.send(requestId, answer as Answer);
      } catch (error) {
        if (!(error instanceof SandboxError && settled.includes(error.code))) throw error;
      }
    }
  }
}

function isUnanswered(error: unknown): boolean {
  return error instanceof SandboxError && error.code === "stream_error";
}
