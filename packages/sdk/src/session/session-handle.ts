import type * as api from "../api-types.ts";
import type { SandboxAgent } from "../client.ts";
import type { PostMessageOptions, StreamEventsOptions } from "../client-options.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import { type AnswerChoice, answersFor } from "./answers.ts";
import {
  type PermissionHandler,
  type QuestionHandler,
  type RequestHandlers,
  RequestResponder,
} from "./request-responder.ts";
import { RunCollector, type RunResult } from "./run-result.ts";

/** A message: its text, or text with attachments. */
export type Prompt = string | api.MessageRequest;

/** How a prompt is run. */
export interface RunOptions extends RequestHandlers {
  /** Interrupts the turn; the result's outcome is `interrupted` then. */
  readonly signal?: AbortSignal | undefined;
  /** Told of every event of the turn. */
  readonly onEvent?: ((event: api.UniversalEvent) => void) | undefined;
  /** Running with a key that was used before gives the result of that turn. */
  readonly idempotencyKey?: string | undefined;
}

/** A handler that is at work until it is stopped. */
export interface Subscription {
  /** Stop it. Idempotent. */
  stop(): void;
  /** Resolves when it was stopped or the session ended; rejects with what the handler or the connection threw. */
  readonly done: Promise<void>;
}

/** One session. Made by `client.session()`; nothing is sent before a method needs it. */
export class SessionHandle {
  /** The session's id. */
  readonly id: string;
  readonly #client: SandboxAgent;
  readonly #request: api.CreateSessionRequest | undefined;
  #ensured: Promise<void> | undefined;

  constructor(client: SandboxAgent, id: string, request?: api.CreateSessionRequest) {
    this.#client = client;
    this.id = id;
    this.#request = request;
  }

  /**
   * Create the session if it does not exist; done by every method that needs it. One that exists is used as it is, and
   * refused only if it has another agent. Without settings to create it with there is nothing to do.
   */
  ensure(): Promise<void> {
    this.#ensured ??= this.#create().catch((error: unknown) => {
      this.#ensured = undefined;
      throw error;
    });
    return this.#ensured;
  }

  /** What the session is and does now. */
  async info(): Promise<api.SessionInfo> {
    await this.ensure();
    return this.#client.getSession(this.id);
  }

  /** Queue a message; resolves when it is safe. What happens arrives as events. */
  async send(message: Prompt, options?: PostMessageOptions): Promise<api.MessageResponse> {
    await this.ensure();
    return this.#client.postMessage(this.id, messageOf(message), options);
  }

  /** Send a message and get the events of its turn. */
  async *turn(message: Prompt, options?: PostMessageOptions): AsyncGenerator<api.UniversalEvent, void, undefined> {
    await this.ensure();
    yield* this.#client.streamTurn(this.id, messageOf(message), {}, options);
  }

  /** Every event after `query.offset`: first what was, then what comes. */
  async *events(
    query?: api.EventStreamQuery,
    options?: StreamEventsOptions | AbortSignal,
  ): AsyncGenerator<api.UniversalEvent, void, undefined> {
    await this.ensure();
    yield* this.#client.streamEvents(this.id, query, options);
  }

  /** Send a prompt and wait for the end of its turn. A turn that fails is an outcome, not an error. */
  async run(prompt: Prompt, options: RunOptions = {}): Promise<RunResult> {
    const collector = new RunCollector();
    for await (const event of this.#runTurn(prompt, options)) collector.take(event);
    return collector.result(await this.#filesOf(collector));
  }

  /** The answer to a prompt as it is written, and nothing else. Throws when the turn fails. */
  async *textStream(prompt: Prompt, options: RunOptions = {}): AsyncGenerator<string, void, undefined> {
    const collector = new RunCollector();
    for await (const event of this.#runTurn(prompt, options)) {
      const piece = collector.take(event);
      if (piece !== "") yield piece;
    }
    const { outcome, message } = collector.result([]);
    if (outcome === "error") throw SandboxAgentError.withoutResponse(message ?? "The turn failed.");
  }

  /**
   * Answer what the agent asks, whoever sent the message, until `stop()`: what waits already and what comes, each once.
   * Errors of the handler go to `onError`, and without one end the subscription.
   */
  on(type: "permission", handler: PermissionHandler, onError?: (error: unknown) => void): Subscription;
  on(type: "question", handler: QuestionHandler, onError?: (error: unknown) => void): Subscription;
  on(
    type: "permission" | "question",
    handler: PermissionHandler | QuestionHandler,
    onError?: (error: unknown) => void,
  ): Subscription {
    const stopping = new AbortController();
    const handlers: RequestHandlers =
      type === "permission"
        ? { onPermission: handler as PermissionHandler }
        : { onQuestion: handler as QuestionHandler };
    return { stop: () => stopping.abort(), done: this.#answerAll(handlers, stopping, onError) };
  }

  /** Stop the running turn; the session stays usable. */
  interrupt(): Promise<void> {
    return this.#client.interruptSession(this.id);
  }

  /** End the session; its log stays readable. */
  terminate(): Promise<void> {
    return this.#client.terminateSession(this.id);
  }

  /** End the session and remove its log. */
  delete(): Promise<void> {
    this.#ensured = undefined;
    return this.#client.deleteSession(this.id);
  }

  /** Change settings from the next turn on; a policy holds at once. */
  async update(request: api.UpdateSessionRequest): Promise<api.SessionInfo> {
    await this.ensure();
    return this.#client.updateSession(this.id, request);
  }

  /** What changed in the session's directory since its first message, or since a turn began. */
  async diff(query?: api.DiffQuery): Promise<api.SessionDiff> {
    await this.ensure();
    return this.#client.getDiff(this.id, query);
  }

  /** Decide about a permission. */
  replyPermission(permissionId: string, reply: api.PermissionReply, reason?: string): Promise<void> {
    return this.#client.replyPermission(this.id, permissionId, { reply, ...(reason === undefined ? {} : { reason }) });
  }

  /** Answer a question with what `answersFor` takes; `null` declines. */
  answer(question: api.QuestionRequestedData, choice: AnswerChoice | null): Promise<void> {
    if (choice === null) return this.#client.rejectQuestion(this.id, question.question_id);
    return this.#client.replyQuestion(this.id, question.question_id, { answers: answersFor(question, choice) });
  }

  async #create(): Promise<void> {
    if (!this.#request) return;
    try {
      await this.#client.createSession(this.id, this.#request);
    } catch (error) {
      if (!(error instanceof SandboxAgentError) || error.code !== "session_already_exists") throw error;
      const { agent } = await this.#client.getSession(this.id);
      if (agent === this.#request.agent) return;
      const sentence = `Session "${this.id}" exists already with the agent "${agent}", not "${this.#request.agent}". Choose another id.`;
      throw new SandboxAgentError(error.status, error.problem, error.response, sentence, error);
    }
  }

  async *#runTurn(prompt: Prompt, options: RunOptions): AsyncGenerator<api.UniversalEvent, void, undefined> {
    const { signal, idempotencyKey, onEvent } = options;
    signal?.throwIfAborted();
    const reading = new AbortController();
    let failure: { error: unknown } | undefined;
    const fail = (error: unknown): void => {
      failure ??= { error };
      reading.abort();
    };
    const responder = new RequestResponder(this.#client, this.id, options, fail);
    const interrupt = (): void => void this.interrupt().catch(fail);
    signal?.addEventListener("abort", interrupt, { once: true });
    try {
      for await (const event of this.turn(prompt, { signal: reading.signal, idempotencyKey })) {
        onEvent?.(event);
        responder.take(event);
        yield event;
      }
      if (failure) throw failure.error;
    } finally {
      signal?.removeEventListener("abort", interrupt);
    }
  }

  /** Of a daemon that does not compare directories, what the agent reported. */
  async #filesOf({ turnId, reportedFiles }: RunCollector): Promise<readonly api.FileChange[]> {
    if (turnId === "") return reportedFiles;
    try {
      const { files, source } = await this.#client.getDiff(this.id, { turn: turnId, format: "summary" });
      return source === "log" && files.length === 0 ? reportedFiles : files;
    } catch (error) {
      if (error instanceof SandboxAgentError && error.status === 404) return reportedFiles;
      throw error;
    }
  }

  async #answerAll(
    handlers: RequestHandlers,
    stopping: AbortController,
    onError: ((error: unknown) => void) | undefined,
  ): Promise<void> {
    let failure: { error: unknown } | undefined;
    const fail = (error: unknown): void => {
      if (onError) {
        onError(error);
        return;
      }
      failure ??= { error };
      stopping.abort();
    };
    const responder = new RequestResponder(this.#client, this.id, handlers, fail);
    const { eventCount, pendingPermissions, pendingQuestions } = await this.info();
    const waiting = new Set([...pendingPermissions, ...pendingQuestions]);
    const offset = waiting.size > 0 ? 0 : eventCount;
    for await (const event of this.events({ offset }, { signal: stopping.signal })) {
      if (event.sequence > eventCount || waiting.has(requestIdOf(event) ?? "")) responder.take(event);
    }
    if (failure) throw failure.error;
  }
}

function messageOf(prompt: Prompt): api.MessageRequest {
  return typeof prompt === "string" ? { message: prompt } : prompt;
}

function requestIdOf(event: api.UniversalEvent): string | undefined {
  if (event.type === "permission.requested") return event.data.permission_id;
  return event.type === "question.requested" ? event.data.question_id : undefined;
}
