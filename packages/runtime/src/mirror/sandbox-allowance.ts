import type { LogEntry } from "./encode-event.ts";
import { UntrustedSandbox } from "./event-reader.ts";

/** Items and requests that are open at once; a daemon stops an agent at half of that. */
const maxOpen = 2_000;
/** Characters of what is open, which the runtime holds in memory. A daemon cuts items long before. */
const maxOpenChars = 64 * 1024 * 1024;

/**
 * How much one sandbox may send and leave open, so that it fills neither the store nor the memory that all sessions share. It
 * lasts as long as the sandbox, however often the connection to it is made anew.
 */
export class SandboxAllowance {
  readonly #maxTurnChars: number;
  #sent = 0;
  readonly #open = new Map<string, number>();
  #openChars = 0;

  constructor(maxTurnChars: number) {
    this.#maxTurnChars = maxTurnChars;
  }

  /** A message goes to it: what follows counts from nothing. Nothing that the sandbox does by itself may lead to this. */
  renew(): void {
    this.#sent = 0;
  }

  /** It has sent so many characters. Throws where they are too many. */
  take(chars: number): void {
    this.#sent += chars;
    if (this.#sent <= this.#maxTurnChars) return;
    throw new UntrustedSandbox(`The sandbox sent more than ${this.#maxTurnChars} characters for one message.`);
  }

  /** It has sent this, which may open something or close it. Throws where too much is open. */
  hold({ type, data }: LogEntry): void {
    if (type === "item.started") this.#opened(`item ${data.item.item_id}`, data);
    else if (type === "item.completed") this.#closed(`item ${data.item.item_id}`);
    else if (type === "permission.requested") this.#opened(`permission ${data.permission_id}`, data);
    else if (type === "permission.resolved") this.#closed(`permission ${data.permission_id}`);
    else if (type === "question.requested") this.#opened(`question ${data.question_id}`, data);
    else if (type === "question.resolved") this.#closed(`question ${data.question_id}`);
  }

  #opened(id: string, data: object): void {
    this.#closed(id);
    const chars = JSON.stringify(data).length;
    this.#open.set(id, chars);
    this.#openChars += chars;
    if (this.#open.size <= maxOpen && this.#openChars <= maxOpenChars) return;
    throw new UntrustedSandbox("The sandbox sent more items or requests that stay open than any agent has.");
  }

  #closed(id: string): void {
    this.#openChars -= this.#open.get(id) ?? 0;
    this.#open.delete(id);
  }
}
