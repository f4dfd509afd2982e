import { setImmediate as nextGo } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { Follower, range, sequencesOf } from "./__fixtures__/follower.ts";
import { HeldStore } from "./__fixtures__/held-store.ts";
import { addSession, openLog } from "./__fixtures__/open-log.ts";
import { textDraft, textDrafts } from "./__fixtures__/text-draft.ts";
import type { SessionLog } from "./session-log.ts";

async function sequencesIn(log: SessionLog): Promise<number[]> {
  const sequences: number[] = [];
  for await (const chunk of log.read(0, Number.POSITIVE_INFINITY, false)) sequences.push(...sequencesOf(chunk));
  return sequences;
}

describe("numbers", () => {
  it("have no gap when many appends on many sessions are interleaved", async () => {
    const { events, log } = await openLog();
    const logs = [log];
    for (let n = 0; n < 19; n++) logs.push(await addSession(events, `s${n}`));
    const appended: Promise<void>[] = [];
    for (let go = 0; go < 50; go++) {
      for (const [index, each] of logs.entries()) appended.push(each.append(textDrafts(1 + ((go + index) % 4))));
      if (go % 3 === 0) await nextGo();
    }
    await Promise.all(appended);
    for (const each of logs) expect(await sequencesIn(each)).toEqual(range(0, each.head));
    expect(logs.reduce((sum, each) => sum + each.head, 0)).toBe(20 * (50 * 2.5));
  });

  it("go on where the store ends", async () => {
    const { store, events, log } = await openLog();
    await log.append(textDrafts(3));
    const again = events.open({ sessionId: "s", uid: "k3x9", createdAt: 0, config: null }, null);
    expect(again.head).toBe(3);
    await again.append(textDrafts(1));
    expect(store.head("s")).toBe(4);
  });
});

describe("one go of the event loop", () => {
  it("is one append to the store, whoever appends", async () => {
    const { store, log } = await openLog();
    const append = vi.spyOn(store, "append");
    await Promise.all(Array.from({ length: 100 }, () => log.append(textDrafts(2))));
    expect(append.mock.calls.map(([, { first, count }]) => [first, count])).toEqual([[1, 200]]);
    await log.append(textDrafts(1));
    expect(append).toHaveBeenCalledTimes(2);
  });

  it("gives everybody one chunk", async () => {
    const { log } = await openLog();
    const followed = log.follow(0, { signal: new AbortController().signal, raw: false });
    const chunk = followed.next();
    for (let n = 0; n < 10; n++) void log.append(textDrafts(1));
    expect((await chunk).value).toMatchObject({ first: 1, count: 10 });
  });

  it("with nothing to append does not bother the store", async () => {
    const { store, log } = await openLog();
    const append = vi.spyOn(store, "append");
    await log.append([]);
    expect(append).not.toHaveBeenCalled();
  });

  it("gathers what comes while the store is busy", async () => {
    const { store, log } = await openLog(new HeldStore());
    const appended = [log.append(textDrafts(1))];
    const first = await store.next();
    for (let n = 0; n < 5; n++) {
      appended.push(log.append(textDrafts(1)));
      await nextGo();
    }
    first.allow();
    const second = await store.next();
    expect(second.batch).toMatchObject({ first: 2, count: 5 });
    second.allow();
    await Promise.all(appended);
    expect(await sequencesIn(log)).toEqual(range(0, 6));
  });
});

describe("an event", () => {
  it("is seen by nobody before the store has it", async () => {
    const { store, log } = await openLog(new HeldStore());
    const follower = new Follower(log);
    let acknowledged = false;
    const appended = log.append(textDrafts(2)).then(() => {
      acknowledged = true;
    });
    const held = await store.next();
    for (let go = 0; go < 5; go++) await nextGo();
    expect({ seen: follower.seen, head: log.head, acknowledged }).toEqual({ seen: [], head: 0, acknowledged: false });

    held.allow();
    await appended;
    await nextGo();
    expect(follower.seen).toEqual([1, 2]);
    await follower.drop();
  });

  it("that the store refuses never happened, and its number is given to the next", async () => {
    const { store, log } = await openLog(new HeldStore());
    const follower = new Follower(log);
    const refused = log.append(textDrafts(3));
    (await store.next()).refuse(new Error("full"));
    await expect(refused).rejects.toThrow("full");
    expect(log.head).toBe(0);

    const appended = log.append([textDraft("after")]);
    (await store.next()).allow();
    await appended;
    await nextGo();
    expect(follower.seen).toEqual([1]);
    await follower.drop();
  });

  it("is kept although the go before it was refused while it waited", async () => {
    const { store, log } = await openLog(new HeldStore());
    const refused = log.append(textDrafts(3));
    const held = await store.next();
    const appended = log.append(textDrafts(2));
    held.refuse(new Error("full"));
    await expect(refused).rejects.toThrow("full");
    const second = await store.next();
    expect(second.batch).toMatchObject({ first: 1, count: 2 });
    second.allow();
    await appended;
    expect(log.head).toBe(2);
  });

  it("that a store throws at never happened either", async () => {
    const { store, log } = await openLog();
    vi.spyOn(store, "append").mockImplementationOnce(() => {
      throw new Error("full");
    });
    const both = [log.append(textDrafts(1)), log.append(textDrafts(1))];
    for (const result of await Promise.allSettled(both)) expect(result.status).toBe("rejected");
    await log.append(textDrafts(2));
    expect(await sequencesIn(log)).toEqual([1, 2]);
  });

  it("that cannot be written down is refused and harms nothing", async () => {
    const { log } = await openLog();
    await expect(log.append([textDraft(1n as unknown as string)])).rejects.toThrow();
    await log.append(textDrafts(1));
    expect(await sequencesIn(log)).toEqual([1]);
  });
});

describe("sync", () => {
  it("comes after what is being written", async () => {
    const { store, log } = await openLog(new HeldStore());
    const appended = log.append(textDrafts(1));
    const held = await store.next();
    const synced = log.sync();
    for (let go = 0; go < 5; go++) await nextGo();
    expect(store.calls).toEqual(["append 1+1"]);
    held.allow();
    await Promise.all([appended, synced]);
    expect(store.calls).toEqual(["append 1+1", "sync"]);
  });

  it("comes after what waits to be written", async () => {
    const { store, log } = await openLog(new HeldStore());
    const appended = log.append(textDrafts(1));
    const synced = log.sync();
    (await store.next()).allow();
    await Promise.all([appended, synced]);
    expect(store.calls).toEqual(["append 1+1", "sync"]);
  });
});
