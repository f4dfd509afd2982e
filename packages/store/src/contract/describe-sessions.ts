import { describe, expect, it } from "vitest";
import type { EventStore } from "../event-store.ts";
import { oddSessionIds } from "./odd-session-ids.ts";
import {
  appendTexts,
  numbered,
  rawOf,
  readTexts,
  sampleBatch,
  sampleRecord,
  sampleTurn,
  turnsOf,
} from "./sample-log.ts";

const page = { maxBytes: 1000, maxEvents: 10 };

export function describeSessions(store: () => EventStore): void {
  describe("sessions", () => {
    it("start with nothing in them", async () => {
      await store().create(sampleRecord("s"));
      expect(store().head("s")).toBe(0);
      expect(await store().read("s", 0, page)).toMatchObject({ first: 1, count: 0 });
      expect(await turnsOf(store(), "s")).toEqual([]);
      expect(await rawOf(store(), "s", 0, 10)).toEqual(new Map());
    });

    it("are created once, and the second attempt changes nothing", async () => {
      await store().create(sampleRecord("s"));
      await appendTexts(store(), "s", ["kept"]);
      await expect(store().create(sampleRecord("s"))).rejects.toMatchObject({
        name: "SandboxError",
        code: "session_already_exists",
      });
      expect(await readTexts(store(), "s")).toEqual(["kept"]);
    });

    it("that are created many times at once are created once", async () => {
      const attempts = Array.from({ length: 20 }, () => store().create(sampleRecord("s")));
      const results = await Promise.allSettled(attempts);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(store().head("s")).toBe(0);
    });

    it("keep another record in place of the first, and everything else", async () => {
      await store().create(sampleRecord("s"));
      await store().create(sampleRecord("t"));
      await appendTexts(store(), "s", ["kept"]);
      await store().update({ ...sampleRecord("s"), config: { title: "another" } });
      expect(await readTexts(store(), "s")).toEqual(["kept"]);
      await expect(store().create(sampleRecord("s"))).rejects.toMatchObject({ code: "session_already_exists" });
      await expect(store().update(sampleRecord("no"))).rejects.toMatchObject({ code: "session_not_found" });
    });

    it("are forgotten with all they have", async () => {
      await store().create(sampleRecord("s"));
      await appendTexts(store(), "s", numbered(10));
      await store().appendTurn("s", sampleTurn("t1"));
      store().checkpoint("s", { any: "thing" });
      await store().delete("s");
      expect(() => store().head("s")).toThrow(expect.objectContaining({ code: "session_not_found" }));

      await store().create(sampleRecord("s"));
      expect(store().head("s")).toBe(0);
      expect(await turnsOf(store(), "s")).toEqual([]);
      await appendTexts(store(), "s", ["new"]);
      expect(await readTexts(store(), "s")).toEqual(["new"]);
      expect([...(await rawOf(store(), "s", 0, 10)).keys()]).toEqual([1]);
    });

    it("can be forgotten twice, and when they never were", async () => {
      await store().create(sampleRecord("s"));
      await Promise.all([store().delete("s"), store().delete("s")]);
      await store().delete("s");
      await store().delete("never");
    });

    it("that are forgotten leave the others alone", async () => {
      for (const id of ["s", "t"]) {
        await store().create(sampleRecord(id));
        await appendTexts(store(), id, [`of ${id}`]);
      }
      await store().delete("s");
      expect(await readTexts(store(), "t")).toEqual(["of t"]);
    });

    it("that do not exist are said not to", async () => {
      const missing = expect.objectContaining({ code: "session_not_found" });
      expect(() => store().head("no")).toThrow(missing);
      await expect((async () => store().append("no", sampleBatch("no", 1, ["x"])))()).rejects.toEqual(missing);
      await expect(store().read("no", 0, page)).rejects.toEqual(missing);
      await expect(rawOf(store(), "no", 0, 1)).rejects.toEqual(missing);
      await expect(store().appendTurn("no", sampleTurn("t"))).rejects.toEqual(missing);
      await expect(turnsOf(store(), "no")).rejects.toEqual(missing);
    });

    it("may have any id", async () => {
      for (const id of oddSessionIds) {
        await store().create(sampleRecord(id));
        await appendTexts(store(), id, [`of ${id}`]);
        await store().appendTurn(id, sampleTurn("t", `to ${id}`));
      }
      for (const id of oddSessionIds) {
        expect(await readTexts(store(), id)).toEqual([`of ${id}`]);
        expect(await turnsOf(store(), id)).toMatchObject([{ message: `to ${id}` }]);
      }
    });
  });
}
