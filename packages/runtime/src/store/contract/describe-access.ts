import { describe, expect, it } from "vitest";
import type { NewAuditEntry } from "../access-store.ts";
import type { RuntimeStore } from "../runtime-store.ts";
import { appendTexts, claim, createdAt, sampleSandbox, sampleSession, sampleTurn } from "./samples.ts";

const entry = (operation: string, more: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  at: createdAt,
  principal: "ann",
  byToken: false,
  action: "session:write",
  operation,
  status: 200,
  ...more,
});

export function describeAccess(store: () => RuntimeStore): void {
  describe("usage", () => {
    it("counts what the sessions of one principal take, and nothing of others", async () => {
      const nothing = { sessions: 0, turns: 0, sandboxes: [], storageBytes: 0 };
      expect(await store().usage("ann")).toEqual(nothing);
      for (const id of ["a", "b"]) await store().createSession({ ...sampleSession(id), owner: "ann" });
      await store().createSession({ ...sampleSession("c"), owner: "bob" });
      for (const id of ["a", "c"]) await store().admitTurn(sampleTurn(id, `turn of ${id}`), 10);
      await store().putSandbox({ ...sampleSandbox("x"), sessionId: "a", state: "ready" });
      await store().putSandbox({ ...sampleSandbox("y"), sessionId: "b", state: "ended" });
      await store().putSandbox({ ...sampleSandbox("z"), sessionId: "c", state: "creating" });
      const used = await store().usage("ann");
      expect(used).toMatchObject({ sessions: 2, turns: 1, sandboxes: ["a"] });

      const lease = await claim(store(), "a", "runtime-1");
      await appendTexts(store(), lease, ["x".repeat(1_000)], { endedTurns: ["turn of a"] });
      const later = await store().usage("ann");
      expect(later).toMatchObject({ sessions: 2, turns: 0 });
      expect(later.storageBytes).toBeGreaterThan(used.storageBytes + 1_000);
      await store().deleteSession("a");
      expect(await store().usage("ann")).toMatchObject({ sessions: 1, turns: 0, sandboxes: [] });
      expect((await store().usage("ann")).storageBytes).toBeLessThan(later.storageBytes);
    });
  });

  describe("the audit log", () => {
    it("is read newest first, in pages, by principal and by session", async () => {
      const whole = entry("first", {
        keyId: "k",
        byToken: true,
        sessionId: "näh ✂",
        remoteAddress: "::1",
        status: 403,
      });
      await store().appendAudit([whole, entry("second", { principal: "bob" })]);
      await store().appendAudit([entry("third", { sessionId: "näh ✂" })]);
      await store().appendAudit([]);
      const all = await store().audit({ limit: 10 });
      expect(all.map(({ operation }) => operation)).toEqual(["third", "second", "first"]);
      const { id, ...first } = all.at(-1)!;
      expect(first).toEqual(whole);
      expect(all.map((kept) => kept.id)).toEqual([...all].map((kept) => kept.id).sort((a, b) => b - a));
      expect(new Set(all.map((kept) => kept.id)).size).toBe(3);
      expect(await store().audit({ limit: 1 })).toEqual([all[0]]);
      expect(await store().audit({ limit: 10, before: all[0]!.id })).toEqual(all.slice(1));
      expect(await store().audit({ limit: 10, before: id })).toEqual([]);
      expect(await store().audit({ limit: 10, principal: "bob" })).toEqual([all[1]]);
      expect(await store().audit({ limit: 10, principal: "ann", sessionId: "näh ✂" })).toEqual([all[0], all[2]]);
    });

    it("forgets what is older than asked, and gives no number twice", async () => {
      await store().appendAudit([entry("old"), entry("new", { at: createdAt + 10 })]);
      const [newest] = await store().audit({ limit: 1 });
      expect(await store().pruneAudit(createdAt + 10)).toBe(1);
      expect(await store().pruneAudit(createdAt + 10)).toBe(0);
      expect(await store().audit({ limit: 10 })).toEqual([newest]);
      expect(await store().pruneAudit(createdAt + 11)).toBe(1);
      await store().appendAudit([entry("newer")]);
      const [next] = await store().audit({ limit: 10 });
      expect(next!.id).toBeGreaterThan(newest!.id);
    });
  });
}
