import { describe, expect, it } from "vitest";
import type { RuntimeStore } from "../runtime-store.ts";
import { createdAt, sampleSandbox } from "./samples.ts";

export function describeSandboxes(store: () => RuntimeStore): void {
  describe("sandboxes", () => {
    it("come back as they were put, last", async () => {
      const whole = sampleSandbox("a", { sessionId: "s", generation: 3, cursor: 7, expiresAt: createdAt + 1 });
      await store().putSandbox(sampleSandbox("a", { state: "creating", sessionId: "other" }));
      await store().putSandbox(whole);
      await store().putSandbox(sampleSandbox("b"));
      expect(await store().sandbox("a")).toEqual(whole);
      expect(await store().sandboxes()).toHaveLength(2);
      expect(await store().sandbox("b")).toEqual(sampleSandbox("b"));
      expect(await store().sandbox("no")).toBeUndefined();
      expect(await store().sandboxOf("other")).toBeUndefined();
    });

    it("change in the named fields only", async () => {
      await store().putSandbox(sampleSandbox("a", { sessionId: "s", generation: 1, expiresAt: createdAt }));
      expect(await store().updateSandbox("a", { state: "ended", restartCount: 2 })).toBe(true);
      expect(await store().sandbox("a")).toEqual(
        sampleSandbox("a", { sessionId: "s", generation: 1, expiresAt: createdAt, state: "ended", restartCount: 2 }),
      );
      await store().updateSandbox("a", { sessionId: undefined, expiresAt: undefined, token: "other" });
      expect(await store().sandbox("a")).toEqual(
        sampleSandbox("a", { generation: 1, state: "ended", restartCount: 2, token: "other" }),
      );
      expect(await store().updateSandbox("a", {})).toBe(true);
      expect(await store().updateSandbox("no", { state: "ended" })).toBe(false);
    });

    it("of a session are found by the highest generation", async () => {
      for (const generation of [2, 10, 9]) {
        await store().putSandbox(sampleSandbox(`g${generation}`, { sessionId: "s", generation }));
      }
      await store().putSandbox(sampleSandbox("t", { sessionId: "t", generation: 99 }));
      expect(await store().sandboxOf("s")).toMatchObject({ sandboxId: "g10" });
      expect(await store().sandboxOf("no")).toBeUndefined();
    });

    it("are forgotten", async () => {
      await store().putSandbox(sampleSandbox("a"));
      await store().deleteSandbox("a");
      await store().deleteSandbox("a");
      expect(await store().sandboxes()).toEqual([]);
    });
  });

  describe("warm sandboxes", () => {
    it("are claimed by one of those who want them at once", async () => {
      for (const id of ["a", "b", "c"]) await store().putSandbox(sampleSandbox(id));
      const claims = Array.from({ length: 10 }, (_, n) => store().claimSandbox("default", `s${n}`, 1));
      const claimed = (await Promise.all(claims)).filter((sandbox) => sandbox !== undefined);
      expect(claimed.map(({ sandboxId }) => sandboxId).toSorted()).toEqual(["a", "b", "c"]);
      expect(new Set(claimed.map(({ sessionId }) => sessionId)).size).toBe(3);
      for (const sandbox of claimed) expect(await store().sandboxOf(sandbox.sessionId!)).toEqual(sandbox);
    });

    it("are claimed by name where one is wanted, or not at all", async () => {
      for (const id of ["a", "b"]) await store().putSandbox(sampleSandbox(id));
      expect(await store().claimSandbox("default", "s", 1, "b")).toMatchObject({ sandboxId: "b", sessionId: "s" });
      expect(await store().claimSandbox("default", "t", 1, "b")).toBeUndefined();
      expect(await store().claimSandbox("default", "t", 1, "c")).toBeUndefined();
      expect(await store().claimSandbox("other", "t", 1, "a")).toBeUndefined();
    });

    it("become the session's, in its generation, and are being made for it", async () => {
      await store().putSandbox(sampleSandbox("a", { cursor: 5 }));
      const claimed = sampleSandbox("a", { cursor: 5, sessionId: "s", generation: 4, state: "creating" });
      expect(await store().claimSandbox("default", "s", 4)).toEqual(claimed);
      expect(await store().sandbox("a")).toEqual(claimed);
    });

    it.each([
      ["of another template", { template: "other" }],
      ["that are being made", { state: "creating" }],
      ["that have ended", { state: "ended" }],
      ["of another session", { sessionId: "t", generation: 1 }],
      ["that another session has had", { generation: 1 }],
    ] as const)("%s are not given away", async (_, changes) => {
      await store().putSandbox(sampleSandbox("a", changes));
      expect(await store().claimSandbox("default", "s", 1)).toBeUndefined();
      expect(await store().sandbox("a")).toEqual(sampleSandbox("a", changes));
    });
  });
}
