import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextGo } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Follower, range } from "./__fixtures__/follower.ts";
import { openLog } from "./__fixtures__/open-log.ts";
import { textDraft } from "./__fixtures__/text-draft.ts";
import type { EventBatch, EventPage, EventStore, PageRequest } from "./event-store.ts";
import { FilesStore } from "./files/files-store.ts";
import { MemoryStore } from "./memory/memory-store.ts";
import type { SessionLog } from "./session-log.ts";

/** A database on another machine: everything takes a few goes of the event loop, and pages are small. */
class RemoteStore extends MemoryStore {
  override async append(sessionId: string, batch: EventBatch): Promise<void> {
    await nextGo();
    await super.append(sessionId, batch);
    await nextGo();
  }

  override async read(sessionId: string, after: number, page: PageRequest): Promise<EventPage> {
    await nextGo();
    const found = await super.read(sessionId, after, { ...page, maxBytes: 300 });
    await nextGo();
    return found;
  }
}

const step = fc.oneof(
  fc.record({ do: fc.constant("append" as const), count: fc.integer({ min: 1, max: 8 }), size: fc.nat(2000) }),
  fc.record({ do: fc.constant("wait" as const) }),
  fc.record({ do: fc.constant("follow" as const), at: fc.nat(), raw: fc.boolean(), pause: fc.nat(4) }),
  fc.record({ do: fc.constant("drop" as const), which: fc.nat() }),
  fc.record({ do: fc.constant("resume" as const), which: fc.nat() }),
  fc.record({ do: fc.constant("forget recent" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Plays a schedule and checks at its end that each follower has seen what came after its cursor, in order and once. */
async function play(log: SessionLog, steps: readonly Step[]): Promise<void> {
  const followers: Follower[] = [];
  const dropped = new Set<Follower>();
  const appended: Promise<void>[] = [];
  const pick = (which: number) => followers[which % Math.max(1, followers.length)];
  for (const each of steps) {
    if (each.do === "append") {
      appended.push(log.append(Array.from({ length: each.count }, () => textDraft("é".repeat(each.size), '{"r":1}'))));
    } else if (each.do === "wait") {
      await nextGo();
    } else if (each.do === "follow") {
      followers.push(new Follower(log, each.at % (log.head + 3), { raw: each.raw, pause: each.pause }));
    } else if (each.do === "drop") {
      const follower = pick(each.which);
      if (follower && !dropped.has(follower)) {
        dropped.add(follower);
        await follower.drop();
      }
    } else if (each.do === "resume") {
      const follower = pick(each.which);
      if (follower && dropped.delete(follower)) follower.resume();
    } else {
      log.dropTail();
    }
  }
  await Promise.all(appended);
  log.finish();
  for (const follower of dropped) follower.resume();
  await Promise.all(followers.map(({ ended }) => ended));
  for (const { start, seen } of followers) expect(seen).toEqual(range(start, log.head));
}

describe("whenever readers come, drop and resume, each sees what follows its cursor in order and once", () => {
  async function holdsOn(makeStore: () => EventStore, numRuns: number): Promise<void> {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { events, log } = await openLog(makeStore());
        await play(log, steps);
        await events.close();
      }),
      { numRuns },
    );
  }

  it("in memory", () => holdsOn(() => new MemoryStore(), 150));

  it("on a slow remote store", () => holdsOn(() => new RemoteStore(), 100));

  it("in files", async () => {
    const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-store-"));
    let run = 0;
    try {
      await holdsOn(() => new FilesStore(join(directory, String(run++))), 60);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
