import { numbered, oddSessionIds, rawOf, readTexts, sampleRaw } from "@sandbox-agent-ts/store/contract";
import { describe, expect, it } from "vitest";
import type { RuntimeStore } from "../runtime-store.ts";
import type { RuntimeStoreContractOptions, RuntimeStoreUnderTest } from "./runtime-store-under-test.ts";
import {
  appendTexts,
  batchOf,
  claim,
  headOf,
  leased,
  longMs,
  oddValue,
  sampleKey,
  sampleSandbox,
  sampleSession,
  sampleTurn,
} from "./samples.ts";

export function describeRestarts(
  current: () => RuntimeStoreUnderTest,
  { forgetsBecause }: RuntimeStoreContractOptions,
): void {
  const reason = forgetsBecause === undefined ? "" : ` (not here: ${forgetsBecause})`;
  const itKeeps = (title: string, test: () => Promise<void>) =>
    it.skipIf(forgetsBecause !== undefined)(`${title}${reason}`, test);

  describe("closing", () => {
    it("can be done twice, and at once", async () => {
      const { store } = current();
      await appendTexts(store, await leased(store, "s"), ["x"]);
      await Promise.all([store.close(), store.close()]);
      await store.close();
    });

    itKeeps("waits for what was asked for before", async () => {
      const { store: before } = current();
      const lease = await leased(before, "s");
      const asked = [
        before.append(lease, batchOf("s", 1, ["x"])),
        before.admitTurn(sampleTurn("s", "t"), 10),
        before.createSession(sampleSession("new")),
      ];
      const store = await current().reopen();
      await Promise.all(asked);
      expect(await readTexts(store, "s")).toEqual(["x"]);
      expect(await store.openTurns("s")).toHaveLength(1);
      expect(await store.session("new")).toBeDefined();
    });
  });

  describe("after a restart", () => {
    const lookAt = async (store: RuntimeStore) => ({
      storeId: store.storeId,
      sessions: await store.sessions({ limit: 100 }),
      session: await store.session("s"),
      turns: await store.openTurns("s"),
      ended: await store.turn("s", "ended"),
      withOpen: await store.sessionsWithOpenTurns(),
      requests: await store.openRequests("s"),
      sandboxes: await store.sandboxes(),
      keys: await store.keys(),
      transcripts: await store.transcripts("s"),
      files: await store.files("s"),
      profiles: await store.profiles(),
      texts: await readTexts(store, "s"),
      raw: await rawOf(store, "s", 996, 1000),
    });

    itKeeps("there is everything that was kept", async () => {
      const { store: before } = current();
      const lease = await leased(before, "s");
      await before.createSession(sampleSession("empty", { title: "t", metadata: oddValue, profile: "p" }));
      await before.putSandbox(sampleSandbox("b", { sessionId: "s", generation: 1 }));
      for (const id of ["ended", "sent", "waits"]) {
        await before.admitTurn(sampleTurn("s", id, { idempotencyKey: `key of ${id}` }), 10);
      }
      await before.markTurnSent(lease, "sent", 1);
      await appendTexts(before, lease, numbered(1000), {
        cursor: { sandboxId: "b", sequence: 990 },
        summary: oddValue,
        snapshot: oddValue,
        endedTurns: ["ended"],
        openedRequests: [
          { requestId: "r", kind: "permission" },
          { requestId: "q", kind: "question" },
        ],
      });
      await before.answerRequest("s", "r", oddValue);
      await before.putKey(sampleKey("k"));
      await before.putTranscript("s", null, "main");
      await before.putTranscript("s", "sub", "of sub");
      await before.putFile("s", { path: "a", content: "b", modifiedAt: 1 });
      await before.putProfile({ profileId: "p", name: "n", profile: oddValue, updatedAt: 1 });
      const kept = await lookAt(before);
      expect(kept).toMatchObject({ session: { head: 1000 }, raw: new Map([997, 999].map((n) => [n, sampleRaw(n)])) });

      const store = await current().reopen();
      expect(await lookAt(store)).toEqual(kept);
      expect(await store.admitTurn(sampleTurn("s", "x", { idempotencyKey: "key of ended" }), 10)).toMatchObject({
        isNew: false,
      });
      expect(await store.answerRequest("s", "r", "late")).toBe("answered");
    });

    itKeeps("the log goes on with the next number, again and again", async () => {
      await current().store.createSession(sampleSession("s"));
      let { store } = current();
      for (let round = 1; round < 6; round++) {
        const lease = await claim(store, "s");
        await store.append(lease, batchOf("s", round, [`text ${round}`]));
        store = await current().reopen();
        expect(await headOf(store, "s")).toBe(round);
        expect(await readTexts(store, "s")).toEqual(numbered(round));
      }
    });

    itKeeps("a lease is still its owner's, and a lost one still lost", async () => {
      const { store: before } = current();
      const old = await leased(before, "s", "one");
      const lease = await claim(before, "s", "one");
      const store = await current().reopen();
      expect(await store.claimLease("s", "two", longMs)).toBeUndefined();
      await expect(store.append(old, batchOf("s", 1, ["stale"]))).rejects.toMatchObject({ name: "LeaseLost" });
      await store.append(lease, batchOf("s", 1, ["kept"]));
      expect(await readTexts(store, "s")).toEqual(["kept"]);
    });

    itKeeps("a forgotten session stays forgotten", async () => {
      const { store: before } = current();
      for (const id of ["s", "t"]) await appendTexts(before, await leased(before, id), [`of ${id}`]);
      await before.deleteSession("s");
      const store = await current().reopen();
      expect(await store.session("s")).toBeUndefined();
      expect(await readTexts(store, "t")).toEqual(["of t"]);
      await appendTexts(store, await leased(store, "s"), ["new"]);
      expect(await readTexts(store, "s")).toEqual(["new"]);
    });

    itKeeps("odd ids are the same", async () => {
      const { store: before } = current();
      for (const id of oddSessionIds) await before.createSession(sampleSession(id, { title: `of ${id}` }));
      const store = await current().reopen();
      for (const id of oddSessionIds) expect(await store.session(id)).toMatchObject({ title: `of ${id}` });
    });
  });
}
