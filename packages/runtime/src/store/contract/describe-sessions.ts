import { oddSessionIds, readTexts } from "@sandbox-agent-ts/store/contract";
import { describe, expect, it } from "vitest";
import type { RuntimeStore } from "../runtime-store.ts";
import {
  appendTexts,
  batchOf,
  claim,
  createdAt,
  leased,
  oddValue,
  sampleSandbox,
  sampleSession,
  sampleTurn,
} from "./samples.ts";

const page = { maxBytes: 1000, maxEvents: 10 };
const untouched = { lastActivity: createdAt, head: 0, epoch: expect.any(Number) };
const file = { path: "a.txt", content: "a", modifiedAt: 1 };

export function describeSessions(store: () => RuntimeStore): void {
  describe("sessions", () => {
    it("come back as they were created, with nothing in them", async () => {
      const whole = sampleSession("s", { profile: "p", title: "näh ✂", metadata: oddValue, settings: oddValue });
      await store().createSession(whole);
      await store().createSession(sampleSession("bare"));
      expect(await store().session("s")).toEqual({ ...whole, ...untouched });
      expect(await store().session("bare")).toEqual({ ...sampleSession("bare"), ...untouched });
      expect(await store().session("no")).toBeUndefined();
    });

    it.each([null, false, 0, "", [], {}])("may be created with %j", async (settings) => {
      await store().createSession(sampleSession("s", { settings }));
      expect((await store().session("s"))?.settings).toEqual(settings);
    });

    it("are made or refused each for itself when many are made at once", async () => {
      const log = batchOf("s", 1, ["first"]);
      const all = ["s", "s", "t", "s", "u"].map((id) => store().createSession(sampleSession(id, { log })));
      const outcomes = (await Promise.allSettled(all)).map(({ status }) => status);
      expect(outcomes).toEqual(["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"]);
      for (const id of ["s", "t", "u"]) expect(await readTexts(store(), id)).toEqual(["first"]);
    });

    it("are found by whoever looks before they are acknowledged", async () => {
      const created = store().createSession(sampleSession("s"));
      expect((await store().session("s"))?.sessionId).toBe("s");
      await created;
    });

    it("may begin with events", async () => {
      const { first, count, lines, raw } = batchOf("s", 1, ["first", "second"]);
      await store().createSession(sampleSession("s", { log: { first, count, lines, raw } }));
      expect(await store().session("s")).toEqual({ ...sampleSession("s"), ...untouched, head: 2 });
      expect(await readTexts(store(), "s")).toEqual(["first", "second"]);
    });

    it("may be leased by whoever makes them", async () => {
      const { first, count, lines, raw } = batchOf("s", 1, ["first"]);
      const log = { first, count, lines, raw };
      const lease = await store().createSession(
        sampleSession("s", { log, lease: { owner: "runtime-1", ttlMs: 60_000 } }),
      );
      expect(await store().session("s")).toMatchObject({ leaseOwner: "runtime-1", epoch: lease?.epoch });
      expect(await store().claimLease("s", "runtime-2", 60_000)).toBeUndefined();
      await appendTexts(store(), lease!, ["second"]);
      expect(await readTexts(store(), "s")).toEqual(["first", "second"]);
      expect(await store().createSession(sampleSession("bare"))).toBeUndefined();
    });

    it("are created once, and the second attempt changes nothing", async () => {
      await appendTexts(store(), await leased(store(), "s"), ["kept"]);
      const again = store().createSession(sampleSession("s", { title: "other" }));
      await expect(again).rejects.toMatchObject({ name: "SandboxError", code: "session_already_exists" });
      expect(await store().session("s")).toMatchObject({ head: 1, leaseOwner: "runtime-1" });
      expect((await store().session("s"))?.title).toBeUndefined();
    });

    it("that are created many times at once are created once", async () => {
      const attempts = Array.from({ length: 20 }, (_, n) =>
        store().createSession(sampleSession("s", { title: `${n}` })),
      );
      const kept = (await Promise.allSettled(attempts)).flatMap(({ status }, n) => (status === "fulfilled" ? [n] : []));
      expect(kept).toHaveLength(1);
      expect(await store().session("s")).toMatchObject({ title: `${kept[0]}` });
    });

    it("do not change with the values they were made of", async () => {
      const settings = { list: [1] };
      await store().createSession(sampleSession("s", { settings }));
      settings.list.push(2);
      const given = (await store().session("s"))?.settings as typeof settings;
      given.list.push(3);
      expect((await store().session("s"))?.settings).toEqual({ list: [1] });
    });

    it("change in the named fields only", async () => {
      await store().createSession(sampleSession("s", { title: "old", metadata: { a: 1 }, profile: "p" }));
      await store().createSession(sampleSession("other", { title: "other" }));
      expect(await store().updateSession("s", { title: "new" })).toBe(true);
      expect(await store().session("s")).toMatchObject({ title: "new", metadata: { a: 1 }, profile: "p" });
      expect(await store().updateSession("s", { metadata: { b: 2 }, settings: oddValue, profile: "q" })).toBe(true);
      expect(await store().session("s")).toMatchObject({
        title: "new",
        metadata: { b: 2 },
        settings: oddValue,
        profile: "q",
        lastActivity: createdAt,
      });
      expect(await store().session("other")).toMatchObject({ title: "other", settings: { agentMode: null } });
    });

    it("have the last activity that they are said to have", async () => {
      await store().createSession(sampleSession("s", { lastActivity: createdAt + 5 }));
      expect(await store().session("s")).toMatchObject({ createdAt, lastActivity: createdAt + 5 });
      await store().updateSession("s", { lastActivity: createdAt + 3 });
      expect(await store().session("s")).toMatchObject({ lastActivity: createdAt + 3 });
      await store().updateSession("s", { lastActivity: undefined, title: "x" });
      expect(await store().session("s")).toMatchObject({ lastActivity: createdAt + 3 });
    });

    it("lose a field that is changed to nothing", async () => {
      await store().createSession(sampleSession("s", { title: "old", metadata: { a: 1 }, profile: "p" }));
      await store().updateSession("s", { title: undefined, metadata: undefined, profile: undefined });
      expect(await store().session("s")).toEqual({ ...sampleSession("s"), ...untouched });
    });

    it("that do not exist are said not to", async () => {
      const missing = expect.objectContaining({ code: "session_not_found" });
      expect(await store().updateSession("no", { title: "x" })).toBe(false);
      await expect(store().read("no", 0, page)).rejects.toEqual(missing);
      await expect(store().readRaw("no", 0, page)).rejects.toEqual(missing);
      await expect(store().admitTurn(sampleTurn("no", "t"), 10)).rejects.toEqual(missing);
      await expect(store().putTranscript("no", null, "x")).rejects.toEqual(missing);
      await expect(store().putFile("no", file)).rejects.toEqual(missing);
      expect(await store().openTurns("no")).toEqual([]);
      expect(await store().openRequests("no")).toEqual([]);
      expect(await store().transcripts("no")).toEqual([]);
      expect(await store().files("no")).toEqual([]);
    });

    it("are forgotten with all they have", async () => {
      const lease = await leased(store(), "s");
      await store().admitTurn(sampleTurn("s", "t", { idempotencyKey: "k" }), 10);
      await appendTexts(store(), lease, ["old"], {
        summary: "old",
        snapshot: "old",
        openedRequests: [{ requestId: "r", kind: "question" }],
      });
      await store().putTranscript("s", null, "old");
      await store().putFile("s", file);
      await store().deleteSession("s");
      expect(await store().session("s")).toBeUndefined();
      expect((await store().sessions({ limit: 10 })).sessions).toEqual([]);
      expect(await store().sessionsWithOpenTurns()).toEqual([]);

      await store().createSession(sampleSession("s"));
      expect(await store().session("s")).toEqual({ ...sampleSession("s"), ...untouched });
      expect(await store().turn("s", "t")).toBeUndefined();
      expect(await store().openTurns("s")).toEqual([]);
      expect(await store().openRequests("s")).toEqual([]);
      expect(await store().transcripts("s")).toEqual([]);
      expect(await store().files("s")).toEqual([]);
      expect((await store().admitTurn(sampleTurn("s", "u", { idempotencyKey: "k" }), 10)).isNew).toBe(true);
      await appendTexts(store(), await claim(store(), "s"), ["new"]);
      expect(await readTexts(store(), "s")).toEqual(["new"]);
      expect((await store().readRaw("s", 0, page)).count).toBe(1);
    });

    it("that are forgotten leave their sandboxes behind, ownerless and never to be given to another", async () => {
      await store().createSession(sampleSession("s"));
      await store().putSandbox(sampleSandbox("b", { sessionId: "s", generation: 1 }));
      await store().deleteSession("s");
      expect((await store().sandboxes()).map(({ sandboxId, sessionId }) => [sandboxId, sessionId])).toEqual([
        ["b", undefined],
      ]);
      expect(await store().sandboxOf("s")).toBeUndefined();
      expect(await store().claimSandbox("default", "other", 1)).toBeUndefined();
    });

    it("can be forgotten twice, and when they never were, and leave the others alone", async () => {
      const lease = await leased(store(), "t");
      await appendTexts(store(), lease, ["of t"]);
      await store().createSession(sampleSession("s"));
      await Promise.all([store().deleteSession("s"), store().deleteSession("s")]);
      await store().deleteSession("never");
      expect(await readTexts(store(), "t")).toEqual(["of t"]);
      await store().append(lease, batchOf("t", 2, ["more"]));
    });

    it("may have any id", async () => {
      for (const id of oddSessionIds) {
        await appendTexts(store(), await leased(store(), id), [`of ${id}`]);
        await store().admitTurn(sampleTurn(id, "t", { message: `to ${id}` }), 10);
        await store().putFile(id, { ...file, content: id });
      }
      for (const id of oddSessionIds) {
        expect((await store().session(id))?.sessionId).toBe(id);
        expect(await readTexts(store(), id)).toEqual([`of ${id}`]);
        expect((await store().openTurns(id)).map(({ message }) => message)).toEqual([`to ${id}`]);
        expect(await store().files(id)).toEqual([{ ...file, content: id }]);
      }
      const { sessions } = await store().sessions({ limit: 100 });
      expect(new Set(sessions.map(({ sessionId }) => sessionId))).toEqual(new Set(oddSessionIds));
    });
  });
}
