import { describe, expect, it } from "vitest";
import { type EventStore, isWithdrawal } from "../event-store.ts";
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

    it("say behind them that they were withdrawn", async () => {
      await store().create(sampleRecord("s"));
      for (const id of ["t1", "t2"]) await store().appendTurn("s", sampleTurn(id));
      const withdrawal = { turnId: "t1", withdrawnAt: 42 };
      await store().withdrawTurn("s", withdrawal);
      await store().appendTurn("s", sampleTurn("t3"));
      const entries = await turnsOf(store(), "s");
      expect(entries.map(({ turnId }) => turnId)).toEqual(["t1", "t2", "t1", "t3"]);
      expect(entries.filter(isWithdrawal)).toEqual([withdrawal]);
    });

    it("of different sessions do not mix", async () => {
      for (const id of ["s", "t"]) await store().create(sampleRecord(id));
      await Promise.all(["s", "t"].map((id) => store().appendTurn(id, sampleTurn(`of-${id}`))));
      expect((await turnsOf(store(), "s")).map(({ turnId }) => turnId)).toEqual(["of-s"]);
      expect((await turnsOf(store(), "t")).map(({ turnId }) => turnId)).toEqual(["of-t"]);
    });
  });
}
