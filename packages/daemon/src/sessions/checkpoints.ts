import type { Session } from "./session.ts";
import type { SessionHost } from "./session-host.ts";

const waitMs = 500;

/** Has the store keep what a session's log amounts to, so that the next start need not read it all. */
export class Checkpoints {
  readonly #session: Session;
  readonly #host: Pick<SessionHost, "store" | "checkpointEvents">;
  #isDue = false;
  /** Where the log ended at the last one of this life. */
  #head: number;

  constructor(session: Session, host: Pick<SessionHost, "store" | "checkpointEvents">) {
    this.#session = session;
    this.#host = host;
    this.#head = session.log.head;
  }

  /** In a long turn now and then, lest a start after a crash has to read all of it. */
  duringTurn(): void {
    const { log, recorder } = this.#session;
    if (log.head - this.#head < this.#host.checkpointEvents || log.isWriting || recorder.isMending) return;
    this.now();
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
    this.#head = log.head;
    this.#host.store.checkpoint(id, { state: { ...recorder.state, sequence: log.head }, title });
  }
}
