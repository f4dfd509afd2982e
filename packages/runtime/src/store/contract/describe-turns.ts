import { beforeEach, describe, expect, it } from "vitest";
import type { RuntimeStore } from "../runtime-store.ts";
import { appendTexts, claim, createdAt, oddValue, sampleSession, sampleTurn } from "./samples.ts";

export function describeTurns(store: () => RuntimeStore): void {
  const openIds = async (sessionId = "s") => (await store().openTurns(sessionId)).map(({ turnId }) => turnId);

  describe("turns", () => {
    beforeEach(() => store().createSession(sampleSession("s")));

    it("come back as they were", async () => {
      const whole = sampleTurn("s", "t1", {
        message: "two\nlines \u2028 \u0000 🦀",
        idempotencyKey: "key/1",
        messageId: "m1",
        attachments: [oddValue, null],
        after: 7,
      });
      const bare = sampleTurn("s", "t2", { message: "" });
      expect(await store().admitTurn(whole, 10)).toEqual({ turn: { ...whole, state: "admitted" }, isNew: true });
      await store().admitTurn(bare, 10);
      expect(await store().turn("s", "t1")).toEqual({ ...whole, state: "admitted" });
      expect(await store().openTurns("s")).toEqual([whole, bare].map((turn) => ({ ...turn, state: "admitted" })));
      expect(await store().turn("s", "no")).toBeUndefined();
      expect(await store().turn("no", "t1")).toBeUndefined();
    });

    it("are activity of their session", async () => {
      await store().admitTurn(sampleTurn("s", "t1", { admittedAt: createdAt + 50 }), 10);
      await store().admitTurn(sampleTurn("s", "t2", { admittedAt: createdAt + 20 }), 10);
      expect(await store().session("s")).toMatchObject({ lastActivity: createdAt + 50 });
    });

    it("are kept in the order of the calls, fifty at once", async () => {
      const ids = Array.from({ length: 50 }, (_, n) => `t${(n * 7) % 50}`);
      const admitted = await Promise.all(ids.map((id) => store().admitTurn(sampleTurn("s", id), 100)));
      expect(admitted.every(({ isNew }) => isNew)).toBe(true);
      expect(await openIds()).toEqual(ids);
    });

    it("with the same key are one, fifty at once", async () => {
      const attempts = Array.from({ length: 50 }, (_, n) =>
        store().admitTurn(sampleTurn("s", `t${n}`, { idempotencyKey: "k", digest: `${n}` }), 10),
      );
      const admitted = await Promise.all(attempts);
      expect(admitted.filter(({ isNew }) => isNew)).toHaveLength(1);
      const [id, ...others] = await openIds();
      expect(others).toEqual([]);
      expect(new Set(admitted.map(({ turn }) => turn.turnId))).toEqual(new Set([id]));
      expect(new Set(admitted.map(({ turn }) => turn.digest)).size).toBe(1);
    });

    it("with the same id are one, whatever their key and message", async () => {
      const first = await store().admitTurn(sampleTurn("s", "t", { idempotencyKey: "a" }), 10);
      const again = sampleTurn("s", "t", { idempotencyKey: "b", message: "other" });
      expect(await store().admitTurn(again, 10)).toEqual({ ...first, isNew: false });
      expect(await openIds()).toEqual(["t"]);
      const other = sampleTurn("s", "u", { idempotencyKey: "b" });
      expect(await store().admitTurn(other, 10)).toMatchObject({ isNew: true });
    });

    it("are found again by key and id when they have ended or were withdrawn", async () => {
      await store().admitTurn(sampleTurn("s", "ended", { idempotencyKey: "e" }), 10);
      await store().admitTurn(sampleTurn("s", "back", { idempotencyKey: "w" }), 10);
      await appendTexts(store(), await claim(store(), "s"), ["x"], { endedTurns: ["ended"] });
      await store().withdrawTurn("s", "back");
      expect(await openIds()).toEqual([]);
      expect(await store().admitTurn(sampleTurn("s", "x", { idempotencyKey: "e" }), 10)).toMatchObject({
        isNew: false,
        turn: { turnId: "ended", state: "ended" },
      });
      expect(await store().admitTurn(sampleTurn("s", "back"), 10)).toMatchObject({
        isNew: false,
        turn: { state: "withdrawn" },
      });
    });

    it("of other sessions have ids and keys of their own", async () => {
      await store().createSession(sampleSession("other"));
      for (const id of ["s", "other"]) {
        const { isNew } = await store().admitTurn(
          sampleTurn(id, "t", { idempotencyKey: "k", message: `to ${id}` }),
          10,
        );
        expect(isNew).toBe(true);
      }
      expect(await store().turn("other", "t")).toMatchObject({ message: "to other" });
      await store().withdrawTurn("s", "t");
      expect(await openIds("other")).toEqual(["t"]);
    });

    it("are refused where too many are open, until one has ended", async () => {
      const attempts = ["a", "b", "c", "d"].map((id) => store().admitTurn(sampleTurn("s", id), 3));
      const refused = (await Promise.allSettled(attempts)).filter(({ status }) => status === "rejected");
      expect(refused).toMatchObject([{ reason: { name: "SandboxError", code: "too_many_requests" } }]);
      expect(await openIds()).toEqual(["a", "b", "c"]);
      expect(await store().turn("s", "d")).toBeUndefined();
      expect(await store().admitTurn(sampleTurn("s", "a"), 3)).toMatchObject({ isNew: false });

      const lease = await claim(store(), "s");
      await store().markTurnSent(lease, "a", 1);
      await expect(store().admitTurn(sampleTurn("s", "d"), 3)).rejects.toMatchObject({ code: "too_many_requests" });
      await appendTexts(store(), lease, ["x"], { endedTurns: ["a"] });
      await store().admitTurn(sampleTurn("s", "d"), 3);
      expect(await openIds()).toEqual(["b", "c", "d"]);
    });

    it("go from admitted to sent to ended", async () => {
      const lease = await claim(store(), "s");
      await store().admitTurn(sampleTurn("s", "t"), 10);
      expect(await store().markTurnSent(lease, "t", 1)).toBe(true);
      expect(await store().turn("s", "t")).toMatchObject({ state: "sent", generation: 1 });
      expect(await store().markTurnSent(lease, "t", 2)).toBe(true);
      expect(await store().openTurns("s")).toMatchObject([{ turnId: "t", state: "sent", generation: 2 }]);
      await appendTexts(store(), lease, ["x"], { endedTurns: ["t"] });
      expect(await store().turn("s", "t")).toMatchObject({ state: "ended", generation: 2 });
      expect(await openIds()).toEqual([]);
    });

    it("that do not wait or run any more are not to be sent", async () => {
      const lease = await claim(store(), "s");
      for (const id of ["ended", "back"]) await store().admitTurn(sampleTurn("s", id), 10);
      await appendTexts(store(), lease, ["x"], { endedTurns: ["ended"] });
      await store().withdrawTurn("s", "back");
      for (const id of ["ended", "back", "no"]) expect(await store().markTurnSent(lease, id, 1)).toBe(false);
      expect(await store().turn("s", "back")).toMatchObject({ state: "withdrawn" });
      expect(await store().turn("s", "ended")).toMatchObject({ state: "ended" });
    });

    it("are taken back only while they wait", async () => {
      const lease = await claim(store(), "s");
      for (const id of ["waits", "runs"]) await store().admitTurn(sampleTurn("s", id), 10);
      await store().markTurnSent(lease, "runs", 1);
      expect(await store().withdrawTurn("s", "waits")).toBe("admitted");
      expect(await store().withdrawTurn("s", "waits")).toBe("withdrawn");
      expect(await store().withdrawTurn("s", "runs")).toBe("sent");
      expect(await store().withdrawTurn("s", "no")).toBeUndefined();
      expect(await store().withdrawTurn("no", "waits")).toBeUndefined();
      expect(await openIds()).toEqual(["runs"]);
    });

    it("that are sent and taken back at once are one of both", async () => {
      const lease = await claim(store(), "s");
      for (let n = 0; n < 20; n++) {
        const id = `t${n}`;
        await store().admitTurn(sampleTurn("s", id), 100);
        const send = () => store().markTurnSent(lease, id, 1);
        const withdraw = () => store().withdrawTurn("s", id);
        const [isSent, had] = n % 2 ? await Promise.all([send(), withdraw()]) : await reversed(send, withdraw);
        expect(had).toBe(isSent ? "sent" : "admitted");
      }
    });

    it("that are open are found for all sessions", async () => {
      expect(await store().sessionsWithOpenTurns()).toEqual([]);
      for (const id of ["a", "b", "c"]) await store().createSession(sampleSession(id));
      for (const id of ["a", "b", "c"]) {
        for (const turn of ["t1", "t2"]) await store().admitTurn(sampleTurn(id, turn), 10);
      }
      await store().markTurnSent(await claim(store(), "a"), "t1", 1);
      await appendTexts(store(), await claim(store(), "b"), ["x"], { endedTurns: ["t1"] });
      await appendTexts(store(), await claim(store(), "c"), ["x"], { endedTurns: ["t1", "t2"] });
      expect([...(await store().sessionsWithOpenTurns())].toSorted()).toEqual(["a", "b"]);
    });
  });
}

async function reversed<A, B>(second: () => Promise<A>, first: () => Promise<B>): Promise<[A, B]> {
  const [b, a] = await Promise.all([first(), second()]);
  return [a, b];
}
