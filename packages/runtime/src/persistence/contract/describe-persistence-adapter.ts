import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentProfile, PersistedSessionListData, PersistenceAdapter } from "../persistence-adapter.ts";

/** A fresh, empty storage and what the suite must be able to do with it. */
export interface PersistenceUnderTest {
  readonly adapter: PersistenceAdapter;
  /** Keep a profile, as the application does it. */
  addProfile(profile: AgentProfile): Promise<void>;
  /** Open the same storage again, as a restart of the process does. */
  reopen(): Promise<PersistenceAdapter>;
  /** Remove everything. */
  destroy(): Promise<void>;
}

export interface PersistenceContractOptions {
  /** Why a reopened storage is empty, for one that keeps nothing beyond its process. */
  readonly forgetsBecause?: string;
}

const createdAt = 1_700_000_000_000;
const bare = (sessionId: string): PersistedSessionListData => ({ sessionId, type: "mock", agentProfileReference: "p" });
const whole = (sessionId: string): PersistedSessionListData => ({
  ...bare(sessionId),
  name: "näh ✂ 🦀",
  createdAt,
  lastActivity: createdAt + 5,
  metadata: { tags: ["a", null], deep: { er: true } },
});
const transcript = '{"type":"user","text":"näh ✂ \\u2028"}\n{"type":"assistant"}\n';

/** Everything `PersistenceAdapter` promises, as tests, for an application's own storage as well as for ours. */
export function describePersistenceAdapter(
  name: string,
  open: () => Promise<PersistenceUnderTest>,
  { forgetsBecause }: PersistenceContractOptions = {},
): void {
  describe(`persistence adapter: ${name}`, () => {
    let current: PersistenceUnderTest;
    const adapter = (): PersistenceAdapter => current.adapter;

    beforeEach(async () => {
      current = await open();
    });

    afterEach(() => current.destroy());

    describe("session records", () => {
      it("are none at first", async () => {
        expect(await adapter().listAllSessions()).toEqual([]);
        expect(await adapter().loadSession("no")).toBeNull();
      });

      it("come back as they were created, with nothing in them", async () => {
        await adapter().createSessionRecord(whole("s"));
        await adapter().createSessionRecord(bare("bare"));
        expect(await adapter().loadSession("s")).toEqual({ ...whole("s"), workspaceFiles: [] });
        expect(await adapter().loadSession("bare")).toMatchObject({ ...bare("bare"), workspaceFiles: [] });
        const listed = await adapter().listAllSessions();
        expect(listed).toHaveLength(2);
        expect(listed).toEqual(expect.arrayContaining([whole("s"), expect.objectContaining(bare("bare"))]));
      });

      it("have no status, and nothing else that is of the moment", async () => {
        await adapter().createSessionRecord(whole("s"));
        const known = ["sessionId", "type", "agentProfileReference", "name", "createdAt", "lastActivity", "metadata"];
        expect(known).toEqual(expect.arrayContaining(Object.keys((await adapter().listAllSessions())[0]!)));
      });

      it("are created once", async () => {
        await adapter().createSessionRecord(whole("s"));
        await expect(adapter().createSessionRecord({ ...bare("s"), name: "other" })).rejects.toThrow();
        expect(await adapter().loadSession("s")).toMatchObject(whole("s"));
      });

      it("change in the named fields only", async () => {
        for (const id of ["s", "t"]) await adapter().createSessionRecord(whole(id));
        await adapter().updateSessionRecord("s", { name: "new" });
        expect(await adapter().loadSession("s")).toMatchObject({ ...whole("s"), name: "new" });
        const more = { lastActivity: createdAt + 9, metadata: { other: 1 }, agentProfileReference: "q" };
        await adapter().updateSessionRecord("s", more);
        expect(await adapter().loadSession("s")).toEqual({ ...whole("s"), name: "new", ...more, workspaceFiles: [] });
        expect(await adapter().loadSession("t")).toMatchObject(whole("t"));
      });

      it("keep their id, type and creation", async () => {
        await adapter().createSessionRecord(whole("s"));
        await adapter().updateSessionRecord("s", { sessionId: "t", type: "other", createdAt: 1, name: "new" });
        expect(await adapter().loadSession("s")).toMatchObject({ ...whole("s"), name: "new" });
        expect(await adapter().loadSession("t")).toBeNull();
      });

      it("that do not exist are neither changed nor written to", async () => {
        await expect(adapter().updateSessionRecord("no", { name: "x" })).rejects.toThrow();
        await expect(adapter().saveTranscript("no", transcript)).rejects.toThrow();
        await expect(adapter().saveTranscript("no", "")).rejects.toThrow();
        await expect(adapter().saveWorkspaceFile("no", { path: "a", content: "b" })).rejects.toThrow();
        expect(await adapter().loadSession("no")).toBeNull();
        expect(await adapter().listAllSessions()).toEqual([]);
      });

      it("are listed all, however many", async () => {
        const ids = Array.from({ length: 1203 }, (_, n) => `s${n}`);
        for (let n = 0; n < ids.length; n += 100) {
          await Promise.all(ids.slice(n, n + 100).map((id) => adapter().createSessionRecord(whole(id))));
        }
        const listed = (await adapter().listAllSessions()).map(({ sessionId }) => sessionId);
        expect(listed.toSorted()).toEqual(ids.toSorted());
      });
    });

    describe("transcripts", () => {
      beforeEach(async () => {
        for (const id of ["s", "t"]) await adapter().createSessionRecord(whole(id));
      });

      it("are kept per conversation, the last one of each", async () => {
        await adapter().saveTranscript("s", "old");
        await adapter().saveTranscript("s", transcript);
        await adapter().saveTranscript("s", "old of a", "a");
        await adapter().saveTranscript("s", "of a", "a");
        await adapter().saveTranscript("s", "of b", "b");
        await adapter().saveTranscript("t", "of t");
        const { rawTranscript, subagents } = (await adapter().loadSession("s"))!;
        expect(rawTranscript).toBe(transcript);
        expect(subagents?.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
          { id: "a", transcript: "of a" },
          { id: "b", transcript: "of b" },
        ]);
        expect(await adapter().loadSession("t")).toMatchObject({ rawTranscript: "of t" });
      });

      it("are never blanked by an empty one, which a failed read gives", async () => {
        await adapter().saveTranscript("s", transcript);
        await adapter().saveTranscript("s", "of a", "a");
        await adapter().saveTranscript("s", "");
        await adapter().saveTranscript("s", "", "a");
        expect(await adapter().loadSession("s")).toMatchObject({
          rawTranscript: transcript,
          subagents: [{ id: "a", transcript: "of a" }],
        });
      });

      it("stay when the record changes", async () => {
        await adapter().saveTranscript("s", transcript);
        await adapter().updateSessionRecord("s", { name: "new" });
        expect(await adapter().loadSession("s")).toMatchObject({ name: "new", rawTranscript: transcript });
      });

      it("may be long", async () => {
        const long = transcript.repeat(50_000);
        await adapter().saveTranscript("s", long);
        expect((await adapter().loadSession("s"))?.rawTranscript === long).toBe(true);
      });
    });

    describe("workspace files", () => {
      beforeEach(() => adapter().createSessionRecord(whole("s")));

      it("are kept by path, the last one of each, even when it is empty", async () => {
        await adapter().saveWorkspaceFile("s", { path: "src/ä b.ts", content: "old" });
        await adapter().saveWorkspaceFile("s", { path: "src/ä b.ts", content: "new 🦀" });
        await adapter().saveWorkspaceFile("s", { path: "empty", content: "was" });
        await adapter().saveWorkspaceFile("s", { path: "empty", content: "" });
        const { workspaceFiles } = (await adapter().loadSession("s"))!;
        expect(workspaceFiles.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
          { path: "empty", content: "" },
          { path: "src/ä b.ts", content: "new 🦀" },
        ]);
      });

      it("are forgotten, and those that never were too", async () => {
        await adapter().saveWorkspaceFile("s", { path: "a", content: "a" });
        await adapter().saveWorkspaceFile("s", { path: "b", content: "b" });
        await adapter().deleteSessionFile("s", "a");
        await adapter().deleteSessionFile("s", "a");
        await adapter().deleteSessionFile("no", "a");
        expect((await adapter().loadSession("s"))?.workspaceFiles).toEqual([{ path: "b", content: "b" }]);
      });
    });

    describe("agent profiles", () => {
      it("are listed and loaded whole", async () => {
        expect(await adapter().listAgentProfiles()).toEqual([]);
        expect(await adapter().loadAgentProfile("no")).toBeNull();
        const profile = {
          id: "p",
          name: "Näh",
          description: "for tests",
          systemPrompt: "Be brief.",
          more: [1, { a: null }],
        };
        await current.addProfile(profile);
        await current.addProfile({ id: "q", name: "Plain" });
        expect((await adapter().listAgentProfiles()).toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
          { id: "p", name: "Näh", description: "for tests" },
          { id: "q", name: "Plain" },
        ]);
        expect(await adapter().loadAgentProfile("p")).toEqual(profile);
        expect(await adapter().loadAgentProfile("q")).toEqual({ id: "q", name: "Plain" });
      });
    });

    const reason = forgetsBecause === undefined ? "" : ` (not here: ${forgetsBecause})`;
    it.skipIf(forgetsBecause !== undefined)(`after a restart there is everything that was kept${reason}`, async () => {
      await adapter().createSessionRecord(whole("s"));
      await adapter().saveTranscript("s", transcript);
      await adapter().saveTranscript("s", "of a", "a");
      await adapter().saveWorkspaceFile("s", { path: "a", content: "b" });
      await current.addProfile({ id: "p", name: "Näh" });
      const kept = await adapter().loadSession("s");
      const reopened = await current.reopen();
      expect(await reopened.loadSession("s")).toEqual(kept);
      expect(await reopened.listAllSessions()).toEqual([whole("s")]);
      expect(await reopened.loadAgentProfile("p")).toEqual({ id: "p", name: "Näh" });
    });
  });
}
