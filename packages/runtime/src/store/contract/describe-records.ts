import { describe, expect, it } from "vitest";
import type { RuntimeStore } from "../runtime-store.ts";
import { createdAt, oddValue, sampleKey, sampleSession } from "./samples.ts";

const oddText = "näh ✂ \u2028 \r\n 🦀";

export function describeRecords(store: () => RuntimeStore): void {
  describe("keys", () => {
    it("are found by their hash, listed and forgotten", async () => {
      for (const id of ["a", "b"]) await store().putKey(sampleKey(id));
      expect(await store().keyByHash("hash of b")).toEqual(sampleKey("b"));
      expect(await store().keyByHash("HASH OF B")).toBeUndefined();
      expect(await store().key("b")).toEqual(sampleKey("b"));
      expect(await store().key("hash of b")).toBeUndefined();
      expect(await store().keys()).toEqual([sampleKey("a"), sampleKey("b")]);
      expect(await store().deleteKey("b")).toBe(true);
      expect(await store().deleteKey("b")).toBe(false);
      expect(await store().keyByHash("hash of b")).toBeUndefined();
      expect(await store().keys()).toEqual([sampleKey("a")]);
    });

    it("are replaced by one with the same id", async () => {
      await store().putKey(sampleKey("a"));
      await store().putKey({ ...sampleKey("a"), scope: "admin", hash: "other", requestsPerMinute: 60 });
      expect(await store().keyByHash("hash of a")).toBeUndefined();
      expect(await store().keyByHash("other")).toEqual({
        ...sampleKey("a"),
        scope: "admin",
        hash: "other",
        requestsPerMinute: 60,
      });
      expect(await store().keys()).toHaveLength(1);
    });
  });

  describe("transcripts", () => {
    it("are kept per conversation, the last one of each", async () => {
      for (const id of ["s", "t"]) await store().createSession(sampleSession(id));
      await store().putTranscript("s", null, "first");
      await store().putTranscript("s", null, oddText);
      await store().putTranscript("s", "", "of a subagent without a name");
      await store().putTranscript("s", "sub/1", "x".repeat(2_000_000));
      await store().putTranscript("t", null, "of t");
      const found = await store().transcripts("s");
      expect(new Map(found.map(({ subagentId, text }) => [subagentId, text]))).toEqual(
        new Map([
          [null, oddText],
          ["", "of a subagent without a name"],
          ["sub/1", "x".repeat(2_000_000)],
        ]),
      );
      expect(found).toHaveLength(3);
      expect(await store().transcripts("t")).toEqual([{ subagentId: null, text: "of t" }]);
    });
  });

  describe("files", () => {
    it("are kept by path, the last one of each, and forgotten", async () => {
      for (const id of ["s", "t"]) await store().createSession(sampleSession(id));
      const file = { path: "src/ä b.txt", content: oddText, modifiedAt: createdAt };
      await store().putFile("s", { ...file, content: "old" });
      await store().putFile("s", file);
      await store().putFile("s", { ...file, path: "other", content: "" });
      await store().putFile("t", file);
      expect(await store().files("s")).toEqual(expect.arrayContaining([file, { ...file, path: "other", content: "" }]));
      expect(await store().files("s")).toHaveLength(2);
      await store().deleteFile("s", file.path);
      await store().deleteFile("s", "never");
      await store().deleteFile("no", file.path);
      expect(await store().files("s")).toEqual([{ ...file, path: "other", content: "" }]);
      expect(await store().files("t")).toEqual([file]);
    });
  });

  describe("profiles", () => {
    it("are kept, listed, replaced and forgotten", async () => {
      const profile = { profileId: "p", name: oddText, profile: oddValue, updatedAt: createdAt };
      await store().putProfile({ ...profile, name: "old", profile: null });
      await store().putProfile(profile);
      await store().putProfile({ ...profile, profileId: "q" });
      expect(await store().profile("p")).toEqual(profile);
      expect(await store().profile("no")).toBeUndefined();
      expect(await store().profiles()).toEqual([profile, { ...profile, profileId: "q" }]);
      expect(await store().deleteProfile("p")).toBe(true);
      expect(await store().deleteProfile("p")).toBe(false);
      expect(await store().profiles()).toHaveLength(1);
    });
  });
}
