/** Feared: a client that stops reading and for which everything is kept in memory, or that misses what it did not read. */
import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { EventChunk, LogReaders } from "@sandbox-agent-ts/store";
import { expect, test } from "vitest";
import type { Packets } from "./message-batch.ts";
import type { Outlet } from "./outlet.ts";
import { SessionFeeds } from "./session-feeds.ts";
import { Subscription } from "./subscription.ts";

const delta = "x".repeat(1_000);

function line(sequence: number): string {
  const item = { item_id: "i", kind: "message", role: "assistant", status: "in_progress", content: [] };
  const payload =
    sequence === 1 ? { type: "item.started", data: { item } } : { type: "item.delta", data: { item_id: "i", delta } };
  return `${JSON.stringify({ sequence, time: "2026-01-01T00:00:00.000Z", ...payload } as unknown as UniversalEvent)}\n`;
}

/** A log of which everything can be read, and that grows. */
function growingLog() {
  let written = 0;
  const read = async (_: string, after: number, { maxEvents }: { maxEvents: number }) => {
    const count = Math.min(50, maxEvents, written - after);
    const text = Array.from({ length: count }, (_unused, n) => line(after + n + 1)).join("");
    return { first: after + 1, count, lines: Buffer.from(text), isEnd: after + count === written, next: undefined };
  };
  const readers = new LogReaders({ read, readRaw: read } as never, "s", 0);
  const grow = (count: number) => {
    for (let n = 0; n < count; n++) {
      written += 1;
      readers.publish(new EventChunk(written, 1, line(written), "utf8"));
    }
  };
  return { readers, grow };
}

/** Takes one thing at a time, when it is let. */
class Valve {
  readonly taken: string[] = [];
  waiting = 0;
  maxWaiting = 0;
  #isOpen = true;
  #opened: (() => void)[] = [];

  async send({ texts }: Packets): Promise<void> {
    this.waiting += 1;
    this.maxWaiting = Math.max(this.maxWaiting, this.waiting);
    if (!this.#isOpen) await new Promise<void>((resolve) => this.#opened.push(resolve));
    this.waiting -= 1;
    for (const text of texts) this.taken.push(/"cursor":([\d.]+)/.exec(text)![1]!);
  }

  shut(): void {
    this.#isOpen = false;
  }

  open(): void {
    this.#isOpen = true;
    for (const resolve of this.#opened.splice(0)) resolve();
  }
}

test("sockets that do not read hold one batch each, and have everything once when they read on", async () => {
  const { readers, grow } = growingLog();
  const feeds = new SessionFeeds();
  const valves = Array.from({ length: 20 }, () => new Valve());
  const subscriptions = valves.map(
    (valve) => new Subscription(feeds.open("s", readers), valve as unknown as Outlet, 0),
  );
  const running = subscriptions.map((subscription) => subscription.run());
  const total = 1_000;
  for (const valve of valves.slice(1)) valve.shut();
  for (let n = 0; n < 50; n++) {
    grow(total / 50);
    await new Promise(setImmediate);
  }
  await expect.poll(() => valves[0]!.taken.length, { timeout: 60_000 }).toBe(total);
  for (const valve of valves.slice(1)) expect([valve.taken.length, valve.waiting]).toEqual([0, 1]);
  for (const valve of valves) valve.open();
  const expected = valves[0]!.taken;
  for (const valve of valves) {
    await expect.poll(() => valve.taken.length, { timeout: 60_000 }).toBe(total);
    expect(valve.taken).toEqual(expected);
    expect(valve.maxWaiting).toBe(1);
  }
  for (const subscription of subscriptions) subscription.end();
  await Promise.all(running);
}, 180_000);
