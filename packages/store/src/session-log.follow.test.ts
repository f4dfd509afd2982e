import { getEventListeners } from "node:events";
import { setImmediate as nextGo } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";
import { Follower, range, sequencesOf } from "./__fixtures__/follower.ts";
import { HeldStore } from "./__fixtures__/held-store.ts";
import { openLog } from "./__fixtures__/open-log.ts";
import { textDraft, textDrafts } from "./__fixtures__/text-draft.ts";
import { temporaryDirectory } from "./files/__fixtures__/temporary-directory.ts";
import { FilesStore } from "./files/files-store.ts";
import type { SessionLog } from "./session-log.ts";

async function readAll(log: SessionLog, after: number, limit: number, raw = false): Promise<unknown[]> {
  let text = "";
  for await (const chunk of log.read(after, limit, raw)) text += chunk.bytes.toString("utf8");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

describe("following", () => {
  it("gives what is there, then what comes", async () => {
    const { log } = await openLog();
    await log.append(textDrafts(5));
    const follower = new Follower(log, 2);
    await nextGo();
    await log.append(textDrafts(2));
    log.finish();
    await follower.ended;
    expect(follower.seen).toEqual([3, 4, 5, 6, 7]);
  });

  it("from beyond the end waits for what lies behind", async () => {
    const { log } = await openLog();
    const follower = new Follower(log, 3);
    for (let n = 0; n < 6; n++) {
      await log.append(textDrafts(1));
      await nextGo();
    }
    log.finish();
    await follower.ended;
    expect(follower.seen).toEqual([4, 5, 6]);
  });

  it("by two thousand at once gives each of them everything", async () => {
    const { log } = await openLog();
    await log.append(textDrafts(100));
    const followers = Array.from({ length: 2000 }, (_, n) => new Follower(log, n % 120));
    for (let go = 0; go < 20; go++) {
      await log.append(textDrafts(5));
      if (go % 2 === 0) await nextGo();
    }
    log.finish();
    await Promise.all(followers.map(({ ended }) => ended));
    for (const { start, seen } of followers) expect(seen).toEqual(range(start, 200));
  });

  it("serves those who keep up without reading the store", async () => {
    const { store, log } = await openLog();
    const read = vi.spyOn(store, "read");
    const followers = Array.from({ length: 10 }, () => new Follower(log));
    for (let go = 0; go < 10; go++) {
      await log.append(textDrafts(3));
      await nextGo();
    }
    log.finish();
    await Promise.all(followers.map(({ ended }) => ended));
    for (const { seen } of followers) expect(seen).toEqual(range(0, 30));
    expect(read).not.toHaveBeenCalled();
  });

  it("goes on from the store when what was kept for live readers is gone", async () => {
    const { store, log } = await openLog();
    const slow = log.follow(0, { signal: new AbortController().signal, raw: false });
    const first = slow.next();
    await log.append(textDrafts(1));
    await first;
    await log.append(textDrafts(1));
    log.dropTail();
    await log.append(textDrafts(1));
    const read = vi.spyOn(store, "read");
    expect((await slow.next()).value).toMatchObject({ first: 2, count: 2 });
    expect(read).toHaveBeenCalled();
    await log.append(textDrafts(1));
    expect((await slow.next()).value).toMatchObject({ first: 4, count: 1 });
  });

  it("finds its place again when it went from the store to live events and back", async () => {
    const { events, log } = await openLog(new FilesStore(temporaryDirectory()));
    await log.append(textDrafts(2));
    const followed = log.follow(0, { signal: new AbortController().signal, raw: false });
    const nextSequences = async () => sequencesOf((await followed.next()).value!);
    expect(await nextSequences()).toEqual([1, 2]);
    await log.append(textDrafts(1));
    expect(await nextSequences()).toEqual([3]);
    await log.append(textDrafts(1));
    log.dropTail();
    expect(await nextSequences()).toEqual([4]);
    await events.close();
  });

  it("holds a bounded amount for readers that do not read", async () => {
    const { store, log } = await openLog();
    const stalled = log.follow(0, { signal: new AbortController().signal, raw: false });
    const first = stalled.next();
    const text = "x".repeat(10_000);
    for (let n = 0; n < 200; n++) await log.append([textDraft(text)]);
    expect((await first).value).toMatchObject({ first: 1 });
    const read = vi.spyOn(store, "read");
    expect((await stalled.next()).value).toMatchObject({ first: 2 });
    expect(read).toHaveBeenCalled();
  });

  it("with raw payloads gives them live and from the store", async () => {
    const { log } = await openLog();
    await log.append([textDraft("ä", '{"n":1}'), textDraft("b")]);
    const followed = log.follow(0, { signal: new AbortController().signal, raw: true });
    const parse = async () => {
      const { value } = await followed.next();
      const lines = value!.bytes.toString("utf8").split("\n").slice(0, -1);
      return lines.map((line) => (JSON.parse(line) as { raw?: unknown }).raw);
    };
    expect(await parse()).toEqual([{ n: 1 }, undefined]);
    await log.append([textDraft("c", '{"n":"\u2028ß"}')]);
    expect(await parse()).toEqual([{ n: "\u2028ß" }]);
  });

  it("a log that lacks what its head promises is an error, not an endless loop", async () => {
    const { store, log } = await openLog();
    await log.append(textDrafts(3));
    vi.spyOn(store, "read").mockResolvedValue({ first: 1, count: 0, lines: Buffer.alloc(0) });
    const lost = { code: "internal_error", message: expect.stringContaining('"s"') };
    const followed = log.follow(0, { signal: new AbortController().signal, raw: false });
    await expect(followed.next()).rejects.toMatchObject(lost);
    await expect(log.read(0, 10, false).next()).rejects.toMatchObject(lost);
  });
});

describe("the end", () => {
  it("of a finished log comes after everything was read", async () => {
    const { log } = await openLog();
    const live = new Follower(log);
    await log.append(textDrafts(2000));
    log.finish();
    const late = new Follower(log);
    await Promise.all([live.ended, late.ended]);
    expect(live.seen).toEqual(range(0, 2000));
    expect(late.seen).toEqual(range(0, 2000));
  });

  it("comes after what was appended just before it and is still being written", async () => {
    const { store, log } = await openLog(new HeldStore());
    const follower = new Follower(log);
    const appended = log.append(textDrafts(1));
    log.finish();
    (await store.next()).allow();
    await appended;
    await follower.ended;
    expect(follower.seen).toEqual([1]);
  });

  it("comes at once for a follower that drops", async () => {
    const { log } = await openLog();
    await log.append(textDrafts(1));
    const follower = new Follower(log);
    await nextGo();
    await follower.drop();
    await log.append(textDrafts(1));
    await nextGo();
    expect(follower.seen).toEqual([1]);
  });

  it("comes at once for a follower that had dropped before it began", async () => {
    const { log } = await openLog();
    await log.append(textDrafts(1));
    const followed = log.follow(0, { signal: AbortSignal.abort(), raw: false });
    expect(await followed.next()).toEqual({ done: true, value: undefined });
  });
});

describe("followers that are gone", () => {
  it("leave no listener behind, however often they waited", async () => {
    const { log } = await openLog();
    const follower = new Follower(log);
    for (let go = 0; go < 20; go++) {
      await log.append(textDrafts(1));
      await nextGo();
    }
    expect(getEventListeners(follower.signal, "abort")).toHaveLength(1);
    await follower.drop();
    expect(getEventListeners(follower.signal, "abort")).toHaveLength(0);
  });

  it("leave no listener behind on a signal that outlives the log", async () => {
    const { log } = await openLog();
    const follower = new Follower(log);
    await log.append(textDrafts(1));
    log.finish();
    await follower.ended;
    expect(getEventListeners(follower.signal, "abort")).toHaveLength(0);
  });

  it("are not remembered by an idle log", async () => {
    const { log } = await openLog();
    const remembered = await tenThousandGone(log);
    collectGarbage();
    await nextGo();
    collectGarbage();
    expect(remembered.filter((reference) => reference.deref() !== undefined)).toHaveLength(0);
    await log.append(textDrafts(1));
  });

  it("are no reason to keep events in memory", async () => {
    const { store, log } = await openLog();
    await new Follower(log).drop();
    await log.append(textDrafts(3));
    const read = vi.spyOn(store, "read");
    const follower = new Follower(log);
    log.finish();
    await follower.ended;
    expect(read).toHaveBeenCalledTimes(1);
  });
});

describe("reading", () => {
  it("ends at the limit, or at what is there", async () => {
    const { log } = await openLog();
    await log.append(textDrafts(1000));
    const sequences = async (after: number, limit: number) =>
      (await readAll(log, after, limit)).map((event) => (event as { sequence: number }).sequence);
    expect(await sequences(0, Number.POSITIVE_INFINITY)).toEqual(range(0, 1000));
    expect(await sequences(10, 5)).toEqual(range(10, 15));
    expect(await sequences(998, 5)).toEqual([999, 1000]);
    expect(await sequences(1000, 5)).toEqual([]);
    expect(await sequences(5, 0)).toEqual([]);
  });

  it("adds raw payloads when asked to", async () => {
    const { log } = await openLog();
    await log.append([textDraft("a", '{"n":1}')]);
    expect(await readAll(log, 0, 1, true)).toMatchObject([{ sequence: 1, raw: { n: 1 } }]);
    expect((await readAll(log, 0, 1))[0]).not.toHaveProperty("raw");
  });
});

async function tenThousandGone(log: SessionLog): Promise<WeakRef<Follower>[]> {
  const followers = Array.from({ length: 10_000 }, () => new Follower(log));
  await nextGo();
  await Promise.all(followers.map((follower) => follower.drop()));
  return followers.map((follower) => new WeakRef(follower));
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
