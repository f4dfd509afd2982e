import type { EventStore } from "@sandbox-agent-ts/store";
import type { Session } from "./session.ts";

const waitMs = 500;

/** Has the store keep what a session's log amounts to, so that the next start need not read it all. */
export class Checkpoints {
  readonly #session: Session;
  readonly #store: EventStore;
  #isDue = false;

  constructor(session: Session, store: EventStore) {
    this.#session = session;
    this.#store = store;
  }

  /** Not at once: readers hear of the end of a turn first, and of a turn that follows it at once there will be another. */
  soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => this.ifDue(), waitMs).unref();
  }

  ifDue(): void {
    const { busy, recorder } = this.#session;
    const isDue = this.#isDue && !busy && !recorder.isMending;
    this.#isDue = false;
    if (isDue) this.now();
  }

  now(): void {
    const { id, title, log, recorder } = this.#session;
    this.#store.checkpoint(id, { state: { ...recorder.state, sequence: log.head }, title });
  }
}
