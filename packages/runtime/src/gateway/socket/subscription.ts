import { setTimeout as pause } from "node:timers/promises";
import { sequenceBefore } from "@sandbox-agent-ts/protocol";
import type { Outlet } from "./outlet.ts";
import type { OpenFeed } from "./session-feeds.ts";

/** A client that is replayed and takes nothing for so long makes room for the next. */
const replayPatienceMs = 2_000;

/** One session on one socket: a cursor on the session's messages, moved on as fast as the client takes them. */
export class Subscription {
  readonly #open: OpenFeed;
  readonly #outlet: Outlet;
  readonly #end = new AbortController();
  #cursor: number;

  constructor(open: OpenFeed, outlet: Outlet, cursor: number) {
    this.#open = open;
    this.#outlet = outlet;
    this.#cursor = cursor;
  }

  /** The last event of which everything was sent. */
  get sequence(): number {
    return sequenceBefore(this.#cursor);
  }

  end(): void {
    this.#end.abort();
    this.#open.close();
  }

  /** Resolves at the end of a log that is finished, and when it is ended; rejects where the log cannot be read. */
  async run(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      if (await this.#pump(signal)) return;
    }
  }

  /** Answers whether there is nothing more; otherwise it goes on with what the log has then. */
  async #pump(signal: AbortSignal): Promise<boolean> {
    for await (const { batch, isReplayed } of this.#open.feed.follow(this.#cursor, signal)) {
      if (signal.aborted) return true;
      this.#cursor = batch.last;
      if (batch.isEmpty) continue;
      const sent = this.#outlet.send(batch);
      if (!isReplayed) await sent;
      else if (!(await isDoneWithin(sent, replayPatienceMs))) {
        void sent.catch(() => {});
        return this.#goOnAfter(sent);
      }
    }
    return true;
  }

  /** Outside of the loop, so that the replay has ended. */
  async #goOnAfter(sent: Promise<void>): Promise<boolean> {
    await sent;
    return false;
  }
}

async function isDoneWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(ms, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    timer.abort();
  }
}
