import { beforeEach, describe, expect, it } from "vitest";
import type { RuntimeStore, StoredSessionQuery } from "../runtime-store.ts";
import { appendTexts, createdAt, leased, sampleSession } from "./samples.ts";

export function describeSessionLists(store: () => RuntimeStore): void {
  const idsOf = async (query: Partial<StoredSessionQuery> = {}) =>
    (await store().sessions({ limit: 100, ...query })).sessions.map(({ sessionId }) => sessionId);

  /** The ids of all pages; `between` happens before each page but the first. */
  async function pageThrough(query: StoredSessionQuery, between?: () => Promise<void>): Promise<string[]> {
    const ids: string[] = [];
    for (let after: StoredSessionQuery["after"]; ; ) {
      const { sessions, hasMore } = await store().sessions({ ...query, after });
      ids.push(...sessions.map(({ sessionId }) => sessionId));
      const last = sessions.at(-1);
      if (!hasMore || !last) return ids;
      expect(sessions).toHaveLength(query.limit);
      after = { createdAt: last.createdAt, sessionId: last.sessionId };
      await between?.();
    }
  }

  describe("lists of sessions", () => {
    it("are empty where there is none", async () => {
      expect(await store().sessions({ limit: 10 })).toEqual({ sessions: [], hasMore: false });
    });

    it("say of each what it is, but for its snapshot", async () => {
      const lease = await leased(store(), "s");
      await appendTexts(store(), lease, ["a", "b"], { summary: { status: "idle" }, snapshot: { items: 2 } });
      const { sessions } = await store().sessions({ limit: 1 });
      const { snapshot, ...rest } = (await store().session("s"))!;
      expect(snapshot).toEqual({ items: 2 });
      expect(sessions).toEqual([rest]);
      expect(sessions[0]).not.toHaveProperty("snapshot");
      expect(rest).toMatchObject({ head: 2, leaseOwner: "runtime-1", summary: { status: "idle" } });
    });

    it("begin with the newest, in whatever order they were created", async () => {
      for (const age of [3, 1, 2]) await store().createSession(sampleSession(`${age}`, { createdAt: createdAt - age }));
      expect(await idsOf()).toEqual(["1", "2", "3"]);
    });

    it("say whether there is more", async () => {
      for (const id of ["a", "b"]) await store().createSession(sampleSession(id));
      expect(await store().sessions({ limit: 1 })).toMatchObject({ hasMore: true });
      expect(await store().sessions({ limit: 2 })).toMatchObject({ hasMore: false });
    });

    it.each([1, 2, 7, 40, 100])("hold each once in pages of %i, even those of the same moment", async (limit) => {
      const ids = Array.from({ length: 40 }, (_, n) => `s${n}`);
      for (const [n, id] of ids.entries()) {
        await store().createSession(sampleSession(id, { createdAt: createdAt + Math.floor(n / 10) }));
      }
      const found = await pageThrough({ limit });
      expect(found.toSorted()).toEqual(ids.toSorted());
      expect(found).toEqual(await idsOf());
    });

    it("neither repeat nor leave out one while others come and go", async () => {
      const ids = Array.from({ length: 20 }, (_, n) => `s${n}`);
      for (const [n, id] of ids.entries()) await store().createSession(sampleSession(id, { createdAt: createdAt - n }));
      let round = 0;
      const found = await pageThrough({ limit: 3 }, async () => {
        round += 1;
        await store().createSession(sampleSession(`new${round}`, { createdAt: createdAt + round }));
        // What the page before ended with is gone: its place is still known.
        await store().deleteSession(`s${round * 3 - 1}`);
      });
      expect(found).toEqual(ids);
    });

    describe("are narrowed down", () => {
      beforeEach(async () => {
        await store().createSession(sampleSession("one", { owner: "ann", agent: "mock", title: "Straße ÄPFEL 100%" }));
        await store().createSession(sampleSession("two", { owner: "bob", agent: "mock", title: "under_score" }));
        await store().createSession(sampleSession("THREE", { owner: "ann", agent: "fake" }));
      });

      it("by owner and agent", async () => {
        expect((await idsOf({ owner: "ann" })).toSorted()).toEqual(["THREE", "one"]);
        expect((await idsOf({ agent: "mock" })).toSorted()).toEqual(["one", "two"]);
        expect(await idsOf({ owner: "ann", agent: "fake" })).toEqual(["THREE"]);
        expect(await idsOf({ owner: "nobody" })).toEqual([]);
      });

      it.each([
        ["äpfel", ["one"]],
        ["STRASSE", []],
        ["straße", ["one"]],
        ["three", ["THREE"]],
        ["T", ["THREE", "one", "two"]],
        ["100%", ["one"]],
        ["0%", ["one"]],
        ["o%e", []],
        ["r_s", ["two"]],
        ["e_", []],
        ["\\", []],
        ["'", []],
      ])("by %j in the id or the title", async (search, ids) => {
        expect((await idsOf({ search })).toSorted()).toEqual(ids);
      });

      it("by what they are called now", async () => {
        await store().updateSession("two", { title: "Renamed" });
        expect(await idsOf({ search: "score" })).toEqual([]);
        expect(await idsOf({ search: "rENAMED" })).toEqual(["two"]);
        await store().updateSession("two", { title: undefined });
        expect(await idsOf({ search: "renamed" })).toEqual([]);
        expect(await idsOf({ search: "two" })).toEqual(["two"]);
      });

      it("page by page", async () => {
        for (let n = 0; n < 10; n++) {
          await store().createSession(
            sampleSession(`x${n}`, { owner: n % 2 ? "ann" : "bob", createdAt: createdAt - n }),
          );
        }
        expect(await pageThrough({ limit: 2, search: "X", owner: "ann" })).toEqual(["x1", "x3", "x5", "x7", "x9"]);
      });
    });
  });
}
