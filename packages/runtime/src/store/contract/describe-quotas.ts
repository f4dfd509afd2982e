import { describe, expect, it } from "vitest";
import { LeaseLost, type RuntimeStore } from "../runtime-store.ts";
import type { RuntimeStoreUnderTest } from "./runtime-store-under-test.ts";
import { appendTexts, claim, leased, longMs, sampleSandbox, sampleSession, sampleTurn } from "./samples.ts";

const asked = 50;
const allowed = 10;
const numbers = Array.from({ length: asked }, (_, number) => number);

/** How often each thing happened. */
async function outcomes(work: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(work)) {
    const name = result.status === "fulfilled" ? "kept" : String((result.reason as { code?: string }).code);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

export function describeQuotas(current: () => RuntimeStoreUnderTest): void {
  /** Two processes on the same data, asked in turn. */
  const both = async (): Promise<(number: number) => RuntimeStore> => {
    const { store, another } = current();
    const other = await another();
    return (number) => (number % 2 === 0 ? store : other);
  };

  describe("quotas", () => {
    it("let in as many sessions as an owner may have, of many that come at once in two processes", async () => {
      const store = await both();
      await store(0).createSession(sampleSession("of another", { owner: "bob" }));
      const create = (number: number) =>
        store(number).createSession(sampleSession(`s${number}`), { sessions: allowed });
      const refused = asked - allowed;
      expect(await outcomes(numbers.map(create))).toEqual({ kept: allowed, permission_denied: refused });
      expect((await store(0).usage("ann")).sessions).toBe(allowed);
      await expect(create(asked)).rejects.toThrow(
        "ann has 10 sessions and may have 10. Delete one that is not needed.",
      );
      const { sessions } = await store(1).sessions({ owner: "ann", limit: 1 });
      await store(1).deleteSession(sessions[0]!.sessionId);
      await create(asked);
    });

    it("let in as many turns, over all sessions of an owner, and never refuse one that was taken before", async () => {
      const store = await both();
      for (const number of numbers) await store(0).createSession(sampleSession(`s${number}`));
      const quota = { turns: allowed };
      const admit = (number: number) => store(number).admitTurn(sampleTurn(`s${number}`, "t"), 100, quota);
      const refused = asked - allowed;
      expect(await outcomes(numbers.map(admit))).toEqual({ kept: allowed, too_many_requests: refused });
      expect((await store(0).usage("ann")).turns).toBe(allowed);
      const [taken] = await store(0).sessionsWithOpenTurns();
      const again = await store(1).admitTurn(sampleTurn(taken!, "t"), 100, quota);
      expect(again).toMatchObject({ isNew: false, turn: { turnId: "t" } });
      const another = () => store(1).admitTurn(sampleTurn(taken!, "next"), 100, quota);
      await expect(another()).rejects.toThrow("ann has 10 turns that wait or run, and may have 10. Try again");
      await store(0).withdrawTurn(taken!, "t");
      expect(await another()).toMatchObject({ isNew: true });
    });

    it("let as many sandboxes be made", async () => {
      const store = await both();
      const leases = await Promise.all(numbers.map((number) => leased(store(0), `s${number}`)));
      const reserve = (number: number) => store(number).reserveSandbox(leases[number]!, { sandboxes: allowed });
      const refused = asked - allowed;
      expect(await outcomes(numbers.map(reserve))).toEqual({ kept: allowed, too_many_requests: refused });
      const { sandboxes } = await store(1).usage("ann");
      expect(sandboxes).toHaveLength(allowed);
    });

    it("count a sandbox from its reservation to its end, once, and the session's own not", async () => {
      const { store } = current();
      const [a, b] = [await leased(store, "a"), await leased(store, "b")];
      const quota = { sandboxes: 1 };
      await store.reserveSandbox(a, quota);
      await store.reserveSandbox(a, quota);
      await store.putSandbox(sampleSandbox("x", { sessionId: "a", state: "creating" }));
      expect((await store.usage("ann")).sandboxes).toEqual(["a"]);
      await store.releaseSandbox(a);
      const sentence = "ann has 1 sandboxes and may have 1. End one, or unload a session that has one.";
      await expect(store.reserveSandbox(b, quota)).rejects.toThrow(sentence);
      await expect(store.admitTurn(sampleTurn("b", "t"), 10, quota)).rejects.toThrow(sentence);
      await store.admitTurn(sampleTurn("a", "t"), 10, quota);
      await store.updateSandbox("x", { state: "ended" });
      await store.reserveSandbox(b, quota);
      await store.releaseSandbox(b);
      expect((await store.usage("ann")).sandboxes).toEqual([]);
    });

    it("forget the reservation of whoever lost the lease, and let only its holder reserve", async () => {
      const { store } = current();
      const dead = await leased(store, "a");
      await store.reserveSandbox(dead, { sandboxes: 1 });
      await store.releaseLease(dead);
      expect((await store.usage("ann")).sandboxes).toEqual([]);
      const lease = await claim(store, "a", "runtime-2");
      await expect(store.reserveSandbox(dead, { sandboxes: 1 })).rejects.toThrow(LeaseLost);
      await store.reserveSandbox(lease, { sandboxes: 1 });
      await store.releaseSandbox(dead);
      expect((await store.usage("ann")).sandboxes).toEqual(["a"]);
    });

    it("forget the reservation of a lease that ran out", async () => {
      const { store } = current();
      await store.createSession(sampleSession("a"));
      const lease = await store.claimLease("a", "runtime-1", -1);
      await store.reserveSandbox(lease!, { sandboxes: 1 });
      expect((await store.usage("ann")).sandboxes).toEqual([]);
      await store.renewLeases("runtime-1", longMs);
      expect((await store.usage("ann")).sandboxes).toEqual(["a"]);
    });

    it("take nothing more where the logs of an owner are too long", async () => {
      const { store } = current();
      await appendTexts(store, await leased(store, "a"), ["x".repeat(1_000)]);
      const quota = { storageBytes: 1_000 };
      const sentence = /^The sessions of ann take \d+ bytes and may take 1000. Delete some of them.$/;
      await expect(store.createSession(sampleSession("b"), quota)).rejects.toThrow(sentence);
      await expect(store.admitTurn(sampleTurn("a", "t"), 10, quota)).rejects.toThrow(sentence);
      expect(await store.session("b")).toBeUndefined();
      await store.createSession(sampleSession("b", { owner: "bob" }), quota);
      await store.deleteSession("a");
      await store.createSession(sampleSession("c"), quota);
    });
  });
}
