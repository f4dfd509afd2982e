import type { TranscriptTurn } from "@sandbox-agent-ts/protocol";
import { createIdempotencyKey, type MessageAttachment, type SandboxAgent } from "@sandbox-agent-ts/sdk";
import { asError } from "./as-error.ts";
import { QueueMemory } from "./queue-memory.ts";

/** A message that was sent and whose turn has not started. */
export interface QueuedMessage {
  /** In the log the `client_message_id` of its turn. */
  readonly messageId: string;
  /** Once the daemon has taken it. */
  readonly turnId?: string;
  readonly message: string;
  readonly attachments: readonly MessageAttachment[];
}

export interface OutboxState {
  readonly queued: readonly QueuedMessage[];
  readonly isSending: boolean;
  /** Why the last message was not taken; cleared by the next. */
  readonly error: Error | undefined;
}

export interface OutboxOptions {
  readonly client: SandboxAgent;
  readonly sessionId: string;
  readonly turns: () => readonly TranscriptTurn[];
  readonly onChange: () => void;
}

interface FailedAttempt {
  readonly content: string;
  readonly idempotencyKey: string;
}

/** The messages of a session on their way to it. */
export class Outbox {
  readonly #options: OutboxOptions;
  #state: OutboxState = { queued: [], isSending: false, error: undefined };
  readonly #memory: QueueMemory;
  /** When the session was created, once all is known that happened in it. */
  #createdAt: number | undefined;
  #sending = 0;
  #failed: FailedAttempt | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#memory = new QueueMemory(options.client.baseUrl, options.sessionId);
  }

  get state(): OutboxState {
    return this.#state;
  }

  /** Resolves when the daemon has the message for good. The same message again after a failure is the same message. */
  async send(message: string, attachments: readonly MessageAttachment[] = []): Promise<void> {
    const request = { message, attachments: [...attachments] };
    const content = JSON.stringify(request);
    const idempotencyKey = this.#failed?.content === content ? this.#failed.idempotencyKey : createIdempotencyKey();
    const sent: QueuedMessage = { messageId: idempotencyKey, message, attachments };
    this.#sending += 1;
    this.#set({ isSending: true, error: undefined, queued: [...this.#state.queued, sent] });
    try {
      const { turnId } = await this.#options.client.postMessage(this.#options.sessionId, request, { idempotencyKey });
      this.#failed = undefined;
      const taken = this.#state.queued.map((queued) => (queued === sent ? { ...sent, turnId } : queued));
      this.#keep(this.#waiting(taken));
    } catch (failure) {
      this.#failed = { content, idempotencyKey };
      this.#set({ error: asError(failure), queued: this.#state.queued.filter((queued) => queued !== sent) });
      throw failure;
    } finally {
      this.#sending -= 1;
      this.#set({ isSending: this.#sending > 0 });
    }
  }

  /** All turns so far are known: of what waited before the page was reloaded, the rest waits still. */
  restore(createdAt: number): void {
    const known = new Set(this.#state.queued.map(({ messageId }) => messageId));
    const remembered = this.#memory.read(createdAt).filter(({ messageId }) => !known.has(messageId));
    const queued = this.#waiting([...remembered, ...this.#state.queued]);
    this.#createdAt = createdAt;
    if (remembered.length > 0 || queued.length > 0) this.#keep(queued);
  }

  /** Turns have started: what they were asked is queued no more. */
  settle(): void {
    if (this.#state.queued.length === 0) return;
    const queued = this.#waiting(this.#state.queued);
    if (queued.length < this.#state.queued.length) this.#keep(queued);
  }

  /** The session is over; nothing will be started. */
  clear(): void {
    if (this.#state.queued.length > 0) this.#keep([]);
  }

  #waiting(queued: readonly QueuedMessage[]): readonly QueuedMessage[] {
    const started = new Set(this.#options.turns().flatMap(({ turnId, clientMessageId }) => [turnId, clientMessageId]));
    return queued.filter(({ messageId, turnId }) => !started.has(messageId) && !(turnId && started.has(turnId)));
  }

  #keep(queued: readonly QueuedMessage[]): void {
    const taken = queued.filter(({ turnId }) => turnId !== undefined);
    if (this.#createdAt !== undefined) this.#memory.write(this.#createdAt, taken);
    this.#set({ queued });
  }

  #set(change: Partial<OutboxState>): void {
    this.#state = { ...this.#state, ...change };
    this.#options.onChange();
  }
}
