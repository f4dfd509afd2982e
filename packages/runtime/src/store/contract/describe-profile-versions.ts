import { describe, expect, it } from "vitest";
import type { RuntimeStoreUnderTest } from "./runtime-store-under-test.ts";
import { createdAt, oddValue, sampleSession } from "./samples.ts";

const version = (name: string, digest: string) => ({ name, digest, content: [digest, oddValue], updatedAt: createdAt });

export function describeProfileVersions(current: () => RuntimeStoreUnderTest): void {
  describe("versions of profiles", () => {
    it("are counted by name, kept as they are, and the newest is under the name", async () => {
      const { store } = current();
      await store.addProfileVersion(version("p", "1"));
      await store.addProfileVersion(version("p.q", "1"));
      const newest = await store.addProfileVersion({ ...version("p", "2"), description: "d" });
      const profile = { version: 2, digest: "2", description: "d" };
      expect(newest).toEqual({ profileId: "p", name: "p", profile, updatedAt: createdAt });
      expect(await store.profile("p")).toEqual(newest);
      expect((await store.profile("p@1"))?.profile).toEqual(["1", oddValue]);
      expect((await store.profile("p@2"))?.profile).toEqual(["2", oddValue]);
      expect(await store.addProfileVersion({ ...version("p", "2"), updatedAt: createdAt + 1 })).toEqual(newest);
      expect(await store.profile("p@3")).toBeUndefined();
      expect(await store.addProfileVersion(version("p", "1"))).toMatchObject({ profile: { version: 3 } });
    });

    it("of many writers in two processes each is one of its own, and none is written over", async () => {
      const { store, another } = current();
      const other = await another();
      const digests = Array.from({ length: 20 }, (_, n) => `d${n}`);
      const added = await Promise.all(
        digests.map(async (digest, n) => {
          const { profile } = await (n % 2 === 0 ? store : other).addProfileVersion(version("p", digest));
          return { digest, version: (profile as { version: number }).version };
        }),
      );
      const given = added.map((one) => one.version).sort((a, b) => a - b);
      expect(given).toEqual(digests.map((_, n) => n + 1));
      for (const one of added) {
        expect((await store.profile(`p@${one.version}`))?.profile).toEqual([one.digest, oddValue]);
      }
      const last = added.find((one) => one.version === 20);
      expect((await other.profile("p"))?.profile).toEqual(last);
    });

    it("that are the same in two processes are one", async () => {
      const { store, another } = current();
      const both = [store, await another(), store, await another()];
      const added = await Promise.all(both.map((one) => one.addProfileVersion(version("p", "same"))));
      expect(added.map(({ profile }) => profile)).toEqual(both.map(() => ({ version: 1, digest: "same" })));
      expect(await store.profile("p@2")).toBeUndefined();
    });

    it("have another digest when it is renewed, but only the newest", async () => {
      const { store, another } = current();
      await store.addProfileVersion(version("p", "1"));
      await store.addProfileVersion({ ...version("p", "2"), description: "d" });
      expect(await store.renewProfileDigest("p", 1, "other")).toBe(false);
      expect(await store.renewProfileDigest("never", 1, "other")).toBe(false);
      expect(await store.profile("never")).toBeUndefined();
      expect(await (await another()).renewProfileDigest("p", 2, "other")).toBe(true);
      const profile = { version: 2, digest: "other", description: "d" };
      expect(await store.profile("p")).toEqual({ profileId: "p", name: "p", profile, updatedAt: createdAt });
      expect(await store.addProfileVersion(version("p", "other"))).toMatchObject({ profile: { version: 2 } });
      expect(await store.addProfileVersion(version("p", "2"))).toMatchObject({ profile: { version: 3 } });
    });

    it("are forgotten but for those that sessions have, and no number is given again", async () => {
      const { store } = current();
      for (const digest of ["1", "2", "3"]) await store.addProfileVersion(version("p", digest));
      await store.addProfileVersion(version("p.q", "1"));
      await store.putProfile({ profileId: "of somebody else", name: "p", profile: null, updatedAt: 1 });
      await store.createSession(sampleSession("s", { profile: "p@1" }));
      expect(await store.deleteProfileVersions("p")).toBe(true);
      expect(await store.deleteProfileVersions("p")).toBe(false);
      expect(await store.deleteProfileVersions("never")).toBe(false);
      expect((await store.profile("p@1"))?.profile).toEqual(["1", oddValue]);
      for (const gone of ["p", "p@2", "p@3"]) expect(await store.profile(gone)).toBeUndefined();
      expect(await store.profile("p.q@1")).toBeDefined();
      expect(await store.profile("of somebody else")).toBeDefined();
      expect(await store.addProfileVersion(version("p", "3"))).toMatchObject({ profile: { version: 4 } });
    });
  });
}
