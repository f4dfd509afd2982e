import { describe, expect, it } from "vitest";
import type { EventStore, StoredSession } from "../event-store.ts";
import { oddSessionIds } from "./odd-session-ids.ts";
import { appendTexts, numbered, rawOf, readTexts, sampleRaw, sampleRecord, sampleTurn, turnsOf } from "./sample-log.ts";
import type { ContractOptions, StoreUnderTest } from "./store-under-test.ts";

export function describeRestarts(current: () => StoreUnderTest, { forgetsBecause }: ContractOptions): void {
  const reason = forgetsBecause === undefined ? "" : ` (not here: ${forgetsBecause})`;
  const itKeeps = (title: string, test: () => Promise<void>) =>
    it.skipIf(forgetsBecause !== undefined)(`${title}${reason}`, test);

  /** Open the data again and say what is kept, by session id. */
  async function restart(): Promise<{ store: EventStore; kept: Map<string, StoredSession> }> {
    const store = await current().reopen();
    const sessions = await store.sessions();
    const kept = new Map(sessions.map((session) => [session.record.sessionId, session]));
    expect(kept.size).toBe(sessions.length);
    return { store, kept };
  }

  describe("closing", () => {
    it("can be done twice, and at once", async () => {
      const { store } = current();
      await store.create(sampleRecord("s"));
      await appendTexts(store, "s", ["x"]);
      await Promise.all([store.close(), store.close()]);
      await store.close();
    });

    it("and syncing have nothing to do in an empty session", async () => {
      const { store } = current();
      await store.create(sampleRecord("s"));
      await store.sync("s");
      await Promise.all([store.sync("s"), store.sync("s"), store.syncTurns("s"), store.syncTurns("s")]);
      await store.close();
    });
  });

  describe("after a restart", () => {
    itKeeps("there is nothing where nothing was", async () => {
      expect((await restart()).kept.size).toBe(0);
    });

    itKeeps("there is everything that was kept", async () => {
      const { store: before } = current();
      const started = Date.now();
      await before.create(sampleRecord("s"));
      await appendTexts(before, "s", numbered(1000));
      await before.appendTurn("s", { ...sampleTurn("t1"), idempotencyKey: "k" });
      await before.create(sampleRecord("empty"));
      await before.sync("s");

      const { store, kept } = await restart();
      expect([...kept.keys()].sort()).toEqual(["empty", "s"]);
      expect(kept.get("s")).toMatchObject({ record: sampleRecord("s"), head: 1000, clean: false });
      expect(kept.get("s")!.updatedAt).toBeGreaterThanOrEqual(started - clockStepMs);
      expect(kept.get("empty")).toMatchObject({ head: 0 });
      expect(store.head("s")).toBe(1000);
      expect(await readTexts(store, "s")).toEqual(numbered(1000));
      expect(await rawOf(store, "s", 998, 1000)).toEqual(new Map([[999, sampleRaw(999)]]));
      expect(await turnsOf(store, "s")).toEqual([{ ...sampleTurn("t1"), idempotencyKey: "k" }]);
    });

    itKeeps("a session has the record it was given last, and is no less clean for it", async () => {
      const { store: before } = current();
      await before.create(sampleRecord("s"));
      await appendTexts(before, "s", numbered(3));
      before.checkpoint("s", "all");
      await before.update({ ...sampleRecord("s"), config: { title: "another" } });
      await before.update({ ...sampleRecord("s"), config: { title: "the last" } });
      const { kept } = await restart();
      expect(kept.get("s")).toMatchObject({ record: { config: { title: "the last" } }, head: 3, clean: true });
    });

    itKeeps("the log goes on with the next number, again and again", async () => {
      await current().store.create(sampleRecord("s"));
      await appendTexts(current().store, "s", ["text 1"]);
      for (let round = 2; round < 6; round++) {
        const { store } = await restart();
        expect(store.head("s")).toBe(round - 1);
        await appendTexts(store, "s", [`text ${round}`]);
        expect(await readTexts(store, "s")).toEqual(numbered(round));
      }
    });

    itKeeps("a forgotten session stays forgotten", async () => {
      const { store: before } = current();
      for (const id of ["s", "t"]) await before.create(sampleRecord(id));
      await before.delete("s");
      const { store, kept } = await restart();
      expect([...kept.keys()]).toEqual(["t"]);
      await store.create(sampleRecord("s"));
      expect(store.head("s")).toBe(0);
    });

    itKeeps("an existing session still cannot be created", async () => {
      await current().store.create(sampleRecord("s"));
      const { store } = await restart();
      await expect(store.create(sampleRecord("s"))).rejects.toMatchObject({ code: "session_already_exists" });
    });

    itKeeps("any id is there", async () => {
      for (const id of oddSessionIds) {
        await current().store.create(sampleRecord(id));
        await appendTexts(current().store, id, [`of ${id}`]);
      }
      const { store, kept } = await restart();
      expect([...kept.keys()].sort()).toEqual([...oddSessionIds].sort());
      for (const id of oddSessionIds) expect(await readTexts(store, id)).toEqual([`of ${id}`]);
    });
  });

  describe("what is to be remembered", () => {
    itKeeps("comes back as it was last, and its session is no less clean", async () => {
      const { store: before } = current();
      for (const id of ["s", "t"]) await before.create(sampleRecord(id));
      await appendTexts(before, "s", numbered(3));
      before.checkpoint("s", "all");
      await before.remember("s", { rules: ["first"] });
      await before.remember("s", { rules: ["first", "\u2028"] });
      const { store, kept } = await restart();
      expect(kept.get("s")).toMatchObject({ memory: { rules: ["first", "\u2028"] }, snapshot: "all", clean: true });
      expect(kept.get("t")).toMatchObject({ memory: null });
      await store.remember("s", null);
      expect((await restart()).kept.get("s")).toMatchObject({ memory: null, head: 3 });
    });

    itKeeps("is forgotten with its session", async () => {
      const { store } = current();
      await store.create(sampleRecord("s"));
      await store.remember("s", "rules");
      await store.delete("s");
      await store.create(sampleRecord("s"));
      expect((await restart()).kept.get("s")).toMatchObject({ memory: null });
    });

    it("belongs to a session that exists", async () => {
      const { store } = current();
      await expect((async () => store.remember("no", 1))()).rejects.toMatchObject({ code: "session_not_found" });
    });
  });

  describe("a checkpoint", () => {
    const snapshot = { state: { items: [1, null, "\u2028"] } };

    async function checkpointed(): Promise<EventStore> {
      const { store } = current();
      await store.create(sampleRecord("s"));
      await appendTexts(store, "s", numbered(10));
      await store.appendTurn("s", sampleTurn("t1"));
      store.checkpoint("s", snapshot);
      return store;
    }

    itKeeps("comes back, and is clean when nothing happened since", async () => {
      await checkpointed();
      expect((await restart()).kept.get("s")).toMatchObject({ head: 10, snapshot, clean: true });
      expect((await restart()).kept.get("s")).toMatchObject({ head: 10, snapshot, clean: true });
    });

    itKeeps("is not clean when an event came after it", async () => {
      await appendTexts(await checkpointed(), "s", ["text 11"]);
      const { store, kept } = await restart();
      expect(kept.get("s")).toMatchObject({ head: 11, clean: false });
      expect(await readTexts(store, "s")).toEqual(numbered(11));
    });

    itKeeps("is not clean when a turn came after it", async () => {
      await (await checkpointed()).appendTurn("s", sampleTurn("t2"));
      const { store, kept } = await restart();
      expect(kept.get("s")).toMatchObject({ head: 10, clean: false });
      expect(await turnsOf(store, "s")).toHaveLength(2);
    });

    itKeeps("is replaced by the next", async () => {
      const store = await checkpointed();
      await appendTexts(store, "s", ["text 11"]);
      store.checkpoint("s", "second");
      expect((await restart()).kept.get("s")).toMatchObject({ head: 11, snapshot: "second", clean: true });
    });

    itKeeps("may be missing", async () => {
      await current().store.create(sampleRecord("s"));
      expect((await restart()).kept.get("s")).toMatchObject({ snapshot: null, clean: false });
    });

    it("does not touch the log", async () => {
      const store = await checkpointed();
      store.checkpoint("s", null);
      expect(await readTexts(store, "s")).toEqual(numbered(10));
      expect(await turnsOf(store, "s")).toHaveLength(1);
    });
  });
}

/** File systems stamp with a clock that ticks more slowly than ours. */
const clockStepMs = 100;
