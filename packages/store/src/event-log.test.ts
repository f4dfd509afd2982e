import { setImmediate as nextGo } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Follower } from "./__fixtures__/follower.ts";
import { HeldStore } from "./__fixtures__/held-store.ts";
import { addSession, openLog } from "./__fixtures__/open-log.ts";
import { textDrafts } from "./__fixtures__/text-draft.ts";

describe("an event log", () => {
  it("knows the sessions it serves", async () => {
    const { events, log } = await openLog();
    expect(events.get("s")).toBe(log);
    expect(() => events.get("t")).toThrow(expect.objectContaining({ code: "session_not_found", sessionId: "t" }));
  });

  it("that stops serving a session ends its followers, and theirs only", async () => {
    const { events, log } = await openLog();
    const other = new Follower(await addSession(events, "t"));
    const follower = new Follower(log);
    await log.append(textDrafts(2));
    events.forget("s");
    events.forget("s");
    await follower.ended;
    expect(follower.seen).toEqual([1, 2]);
    expect(() => events.get("s")).toThrow(expect.objectContaining({ code: "session_not_found" }));

    await events.get("t").append(textDrafts(1));
    await nextGo();
    expect(other.seen).toEqual([1]);
    await other.drop();
  });

  it("closes after what is still being written, and ends all followers", async () => {
    const { store, events, log } = await openLog(new HeldStore());
    const follower = new Follower(log);
    const appended = log.append(textDrafts(2));
    const closed = events.close();
    (await store.next()).allow();
    await Promise.all([appended, closed, follower.ended]);
    expect(store.calls).toEqual(["append 1+2", "close"]);
    expect(follower.seen).toEqual([1, 2]);
  });
});

describe("once in a while", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("what was written becomes durable, in every session that was written and in no other", async () => {
    const { store, events, log } = await openLog();
    const second = await addSession(events, "t");
    await addSession(events, "idle");
    const sync = vi.spyOn(store, "sync");
    await log.append(textDrafts(1));
    await log.append(textDrafts(1));
    await second.append(textDrafts(1));
    await vi.advanceTimersByTimeAsync(2000);
    expect(sync.mock.calls).toEqual([["s"], ["t"]]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sync).toHaveBeenCalledTimes(2);
  });

  it("sessions become durable one after the other, with a rest between", async () => {
    const { store, events, log } = await openLog();
    const second = await addSession(events, "t");
    let finish!: () => void;
    const first = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const sync = vi.spyOn(store, "sync").mockReturnValueOnce(first);
    await log.append(textDrafts(1));
    await second.append(textDrafts(1));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sync.mock.calls).toEqual([["s"]]);
    finish();
    await nextGo();
    expect(sync.mock.calls).toEqual([["s"]]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sync.mock.calls).toEqual([["s"], ["t"]]);
  });

  it("what could not be made durable is tried again", async () => {
    const { store, log } = await openLog();
    const sync = vi.spyOn(store, "sync").mockRejectedValueOnce(new Error("busy"));
    await log.append(textDrafts(1));
    await vi.advanceTimersByTimeAsync(1000);
    expect(sync).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sync).toHaveBeenCalledTimes(2);
  });

  it("nothing happens any more in a closed log, nor in a session that is not served", async () => {
    const { store, events, log } = await openLog();
    const second = await addSession(events, "t");
    const sync = vi.spyOn(store, "sync").mockRejectedValue(new Error("gone"));
    await log.append(textDrafts(1));
    await second.append(textDrafts(1));
    events.forget("s");
    await vi.advanceTimersByTimeAsync(1000);
    expect(sync.mock.calls).toEqual([["t"]]);
    await events.close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sync).toHaveBeenCalledTimes(1);
  });

  it("what was kept for live readers is let go", async () => {
    const { store, log } = await openLog();
    const stalled = log.follow(0, { signal: new AbortController().signal, raw: false });
    const first = stalled.next();
    await log.append(textDrafts(1));
    await first;
    await log.append(textDrafts(1));
    await vi.advanceTimersByTimeAsync(1000);
    const read = vi.spyOn(store, "read");
    expect((await stalled.next()).value).toMatchObject({ first: 2 });
    expect(read).toHaveBeenCalledTimes(1);
  });
});
