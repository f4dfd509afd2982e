import type { ListPosition } from "@sandbox-agent-ts/server";
import type { Session } from "./session.ts";

/** A place in the order of creation; the id decides between sessions of the same millisecond. */
/** The sessions by id and in order of creation, so that a page of them costs no sorting. */
export class SessionIndex {
  readonly #byId = new Map<string, Session>();
  /** Oldest first: a new session is nearly always the last. */
  readonly #ordered: Session[] = [];

  get(id: string): Session | undefined {
    return this.#byId.get(id);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  add(session: Session): void {
    this.#byId.set(session.id, session);
    this.#ordered.splice(this.#placeOf(session), 0, session);
  }

  delete(session: Session): void {
    this.#byId.delete(session.id);
    this.#ordered.splice(this.#placeOf(session), 1);
  }

  /** Newest first, from behind `after` on. Must be read without a pause in which sessions come or go. */
  *newestFirst(after?: ListPosition): Generator<Session, void, void> {
    const end = after === undefined ? this.#ordered.length : this.#placeOf(after);
    for (let at = end - 1; at >= 0; at--) yield this.#ordered[at]!;
  }

  /** How many sessions come before this position. */
  #placeOf(position: ListPosition): number {
    let low = 0;
    let high = this.#ordered.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#ordered[middle]!, position)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isBefore(a: ListPosition, b: ListPosition): boolean {
  return a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt;
}
