import type { ReadableLog } from "@sandbox-agent-ts/server";
import { SessionFeed } from "./session-feed.ts";
import { Slots } from "./slots.ts";

/** Readers that fell behind and are replayed at the same time. */
const maxReplays = 8;

export interface OpenFeed {
  readonly feed: SessionFeed;
  /** Idempotent. */
  close(): void;
}

/** One feed per session for as long as a socket follows it. */
export class SessionFeeds {
  readonly #replays = new Slots(maxReplays);
  readonly #open = new Map<string, { readonly feed: SessionFeed; users: number }>();

  open(sessionId: string, log: ReadableLog): OpenFeed {
    const entry = this.#entry(sessionId, log);
    entry.users += 1;
    let isOpen = true;
    const close = () => {
      if (isOpen) entry.users -= 1;
      isOpen = false;
      if (entry.users > 0) return;
      entry.feed.close();
      if (this.#open.get(sessionId) === entry) this.#open.delete(sessionId);
    };
    return { feed: entry.feed, close };
  }

  /** A session that was made anew under the id of another has another log. */
  #entry(sessionId: string, log: ReadableLog) {
    const known = this.#open.get(sessionId);
    if (known?.feed.log === log) return known;
    const made = { feed: new SessionFeed(sessionId, log, this.#replays), users: 0 };
    this.#open.set(sessionId, made);
    return made;
  }
}
