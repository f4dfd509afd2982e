import { describe, expect, it } from "vitest";
import type { EventStore } from "../event-store.ts";
import { sampleRecord, sampleTurn, turnsOf } from "./sample-log.ts";

export function describeTurns(store: () => EventStore): void {
  describe("turns", () => {
    it("come back as they were", async () => {
      await store().create(sampleRecord("s"));
      const turns = [
        { ...sampleTurn("t1", "two\nlines \u2028 🦀"), idempotencyKey: "key/1" },
        { ...sampleTurn("t2", ""), attachments: [] },
      ];
      for (const turn of turns) await store().appendTurn("s", turn);
      expect(await turnsOf(store(), "s")).toEqual(turns);
    });

    it("are kept in the order of the calls, without waiting for one another", async () => {
      await store().create(sampleRecord("s"));
      const ids = Array.from({ length: 32 }, (_, n) => `t${n}`);
      await Promise.all(ids.map((id) => store().appendTurn("s", sampleTurn(id))));
      expect((await turnsOf(store(), "s")).map(({ turnId }) => turnId)).toEqual(ids);
    });

    it("of different sessions do not mix", async () => {
      for (const id of ["s", "t"]) await store().create(sampleRecord(id));
      await Promise.all(["s", "t"].map((id) => store().appendTurn(id, sampleTurn(`of-${id}`))));
      expect((await turnsOf(store(), "s")).map(({ turnId }) => turnId)).toEqual(["of-s"]);
      expect((await turnsOf(store(), "t")).map(({ turnId }) => turnId)).toEqual(["of-t"]);
    });
  });
}
