import { readTexts } from "@sandbox-agent-ts/store/contract";
import { describe, expect, it } from "vitest";
import { type Lease, LeaseLost, type RuntimeStore } from "../runtime-store.ts";
import {
  appendTexts,
  batchOf,
  claim,
  existing,
  leased,
  longMs,
  sampleSandbox,
  sampleSession,
  sampleTurn,
} from "./samples.ts";

export function describeLeases(store: () => RuntimeStore): void {
  describe("leases", () => {
    it("belong to one owner at a time", async () => {
      const lease = await leased(store(), "s", "one");
      expect(lease).toEqual({ sessionId: "s", owner: "one", epoch: expect.any(Number) });
      expect(await store().claimLease("s", "two", longMs)).toBeUndefined();
      expect(await store().session("s")).toMatchObject({ epoch: lease.epoch, leaseOwner: "one" });
    });

    it("that many want at once one gets", async () => {
      await store().createSession(sampleSession("s"));
      const owners = Array.from({ length: 20 }, (_, n) => `runtime-${n}`);
      const claimed = await Promise.all(owners.map((owner) => store().claimLease("s", owner, longMs)));
      const [lease, ...others] = claimed.filter((found) => found !== undefined);
      expect(others).toEqual([]);
      expect(await store().session("s")).toMatchObject({ leaseOwner: lease?.owner });
    });

    it("of a session that does not exist cannot be claimed", async () => {
      expect(await store().claimLease("no", "one", longMs)).toBeUndefined();
    });

    it("that have run out are for anybody, and are held by nobody until then", async () => {
      await store().createSession(sampleSession("s"));
      const { epoch } = (await store().claimLease("s", "one", 0))!;
      expect((await existing(store(), "s")).leaseOwner).toBeUndefined();
      expect(await store().claimLease("s", "two", longMs)).toEqual({ sessionId: "s", owner: "two", epoch: epoch + 1 });
    });

    it("that have run out can be held on to, as long as nobody else has claimed them", async () => {
      await store().createSession(sampleSession("s"));
      const lease = await store().claimLease("s", "one", 0);
      await appendTexts(store(), lease!, ["late"]);
      expect(await store().renewLeases("one", longMs)).toEqual(["s"]);
      expect(await store().claimLease("s", "two", longMs)).toBeUndefined();
      await store().append(lease!, batchOf("s", 2, ["later"]));
      expect(await readTexts(store(), "s")).toEqual(["late", "later"]);
    });

    it("are renewed all at once, without those that were lost", async () => {
      for (const id of ["a", "b", "c", "d"]) {
        await store().createSession(sampleSession(id));
        await store().claimLease(id, "one", 0);
      }
      await claim(store(), "b", "two");
      await store().deleteSession("c");
      expect([...(await store().renewLeases("one", longMs))].toSorted()).toEqual(["a", "d"]);
      expect(await store().renewLeases("nobody", longMs)).toEqual([]);
      expect(await store().session("b")).toMatchObject({ leaseOwner: "two" });
    });

    it("that are released are for anybody at once", async () => {
      const lease = await leased(store(), "s", "one");
      await store().releaseLease(lease);
      expect((await existing(store(), "s")).leaseOwner).toBeUndefined();
      const next = await claim(store(), "s", "two");
      expect(next.epoch).toBeGreaterThan(lease.epoch);
      expect(await store().renewLeases("one", longMs)).toEqual([]);
    });

    it("that are lost cannot be released", async () => {
      const old = await leased(store(), "s", "one");
      await store().releaseLease(old);
      const next = await claim(store(), "s", "two");
      await store().releaseLease(old);
      await store().releaseLease({ ...next, sessionId: "no" });
      expect(await store().session("s")).toMatchObject({ epoch: next.epoch, leaseOwner: "two" });
    });
  });

  describe("a writer whose lease", () => {
    const ways: [string, (lease: Lease) => Promise<unknown>][] = [
      ["was claimed again by its owner", () => claim(store(), "s", "one")],
      [
        "is another's",
        (lease) =>
          store()
            .releaseLease(lease)
            .then(() => claim(store(), "s", "two")),
      ],
      ["was released", (lease) => store().releaseLease(lease)],
      ["is of a session that was forgotten", () => store().deleteSession("s")],
      [
        "is of a session that was forgotten and made again",
        () =>
          store()
            .deleteSession("s")
            .then(() => leased(store(), "s", "one")),
      ],
    ];

    it.each(ways)("%s changes nothing", async (_, lose) => {
      const lease = await leased(store(), "s", "one");
      await store().putSandbox(sampleSandbox("b", { sessionId: "s", generation: 1, cursor: 3 }));
      await store().admitTurn(sampleTurn("s", "t"), 10);
      await appendTexts(store(), lease, ["kept"], {
        summary: "kept",
        snapshot: "kept",
        openedRequests: [{ requestId: "r", kind: "permission" }],
      });
      await lose(lease);

      const look = async () => ({
        session: await store().session("s"),
        turns: await store().openTurns("s"),
        requests: await store().openRequests("s"),
        sandboxes: await store().sandboxes(),
      });
      const before = await look();
      const stale = batchOf("s", (before.session?.head ?? 0) + 1, ["stale"], {
        cursor: { sandboxId: "b", sequence: 4 },
        summary: "stale",
        snapshot: "stale",
        endedTurns: ["t"],
        openedRequests: [{ requestId: "q", kind: "question" }],
        resolvedRequests: ["r"],
      });
      await expect(store().append(lease, stale)).rejects.toBeInstanceOf(LeaseLost);
      await expect(store().markTurnSent(lease, "t", 1)).rejects.toMatchObject({ name: "LeaseLost", sessionId: "s" });
      await store().releaseLease(lease);
      expect(await look()).toEqual(before);
    });

    it("is lost hears so, whatever else is wrong with its batch", async () => {
      const lease = await leased(store(), "s", "one");
      await claim(store(), "s", "one");
      const wrong = batchOf("s", 7, ["x"], { cursor: { sandboxId: "no", sequence: 1 } });
      await expect(store().append(lease, wrong)).rejects.toBeInstanceOf(LeaseLost);
    });
  });
}
