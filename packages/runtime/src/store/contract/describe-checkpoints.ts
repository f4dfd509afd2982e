import { createHash } from "node:crypto";
import type { WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import { describe, expect, it } from "vitest";
import type { EntryChange, NewCheckpoint } from "../checkpoint-store.ts";
import { pathBytesOf } from "../entry-path.ts";
import { type Lease, LeaseLost, type RuntimeStore } from "../runtime-store.ts";
import { createdAt, oddValue, sampleSession } from "./samples.ts";

const file = (path: string, hash: string): WorkspaceEntry => {
  return { type: "file", path, mode: 0o644, size: 3, mtime: createdAt, hash };
};
const put = (entry: WorkspaceEntry, isKnown = false): EntryChange => ({ path: pathBytesOf(entry), entry, isKnown });
const gone = (path: string): EntryChange => ({ path: Buffer.from(path), entry: undefined, isKnown: true });

const checkpoint = (changes: readonly EntryChange[], more: Partial<NewCheckpoint> = {}): NewCheckpoint => ({
  sequence: 7,
  at: createdAt,
  directory: "/workspace",
  tag: "t",
  summary: oddValue,
  keep: 10,
  changes,
  ...more,
});

async function* streamOf(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

export function describeCheckpoints(store: () => RuntimeStore): void {
  const leaseOf = async (sessionId: string): Promise<Lease> => {
    const lease = await store().createSession({ ...sampleSession(sessionId), lease: { owner: "o", ttlMs: 60_000 } });
    return lease!;
  };
  const entriesOf = (sessionId: string, number: number) =>
    store().checkpoints.entries(sessionId, number, { limit: 1000 });
  const bytesOf = async (hash: string) => {
    const stream = await store().checkpoints.readBlob(hash);
    if (!stream) return undefined;
    const parts: Uint8Array[] = [];
    for await (const part of stream) parts.push(part);
    return Buffer.concat(parts);
  };

  describe("checkpoints", () => {
    it("keep every kind of entry as it is, in the order of their bytes", async () => {
      const lease = await leaseOf("s");
      const odd = Buffer.from([0xff, 0x2f, 0xe9]);
      const entries: readonly WorkspaceEntry[] = [
        { type: "directory", path: "a\nb", mode: 0o700 },
        file("a\nb/ü", "h1"),
        { type: "symlink", path: "link", target: "�/�", targetBytes: odd.toString("base64") },
        { ...file("�/�", "h2"), pathBytes: odd.toString("base64") },
      ];
      expect(
        await store().checkpoints.putCheckpoint(lease, checkpoint([...entries].reverse().map((it) => put(it)))),
      ).toBe(1);
      expect(await entriesOf("s", 1)).toEqual(entries);
      const [first, second] = await store().checkpoints.entries("s", 1, { limit: 2 });
      expect([first, second]).toEqual(entries.slice(0, 2));
      const rest = await store().checkpoints.entries("s", 1, { after: pathBytesOf(second!), limit: 2 });
      expect(rest).toEqual(entries.slice(2));
      const { changes: _, keep: __, ...stored } = checkpoint([]);
      expect(await store().checkpoints.checkpoints("s")).toEqual([{ ...stored, number: 1 }]);
    });

    it("differ by what changed, and the older ones stay as they were", async () => {
      const lease = await leaseOf("s");
      const { checkpoints } = store();
      await checkpoints.putCheckpoint(
        lease,
        checkpoint([put(file("a", "1")), put(file("b", "1")), put(file("c", "1"))]),
      );
      await checkpoints.putCheckpoint(lease, checkpoint([put(file("a", "2"), true), gone("b")], { sequence: 9 }));
      await checkpoints.putCheckpoint(lease, checkpoint([], { sequence: 11 }));
      await checkpoints.putCheckpoint(lease, checkpoint([put(file("b", "3"))], { sequence: 12 }));
      expect(await entriesOf("s", 1)).toEqual([file("a", "1"), file("b", "1"), file("c", "1")]);
      expect(await entriesOf("s", 2)).toEqual([file("a", "2"), file("c", "1")]);
      expect(await entriesOf("s", 3)).toEqual([file("a", "2"), file("c", "1")]);
      expect(await entriesOf("s", 4)).toEqual([file("a", "2"), file("b", "3"), file("c", "1")]);
      expect((await checkpoints.checkpoints("s")).map(({ number, sequence }) => [number, sequence])).toEqual([
        [4, 12],
        [3, 11],
        [2, 9],
        [1, 7],
      ]);
      expect(await entriesOf("no", 1)).toEqual([]);
    });

    it("are kept up to a number", async () => {
      const lease = await leaseOf("s");
      for (let at = 1; at <= 5; at += 1) {
        const change = put(file("a", `${at}`), at > 1);
        await store().checkpoints.putCheckpoint(lease, checkpoint([change], { keep: 2 }));
      }
      expect((await store().checkpoints.checkpoints("s")).map(({ number }) => number)).toEqual([5, 4]);
      expect(await entriesOf("s", 4)).toEqual([file("a", "4")]);
      expect(await entriesOf("s", 5)).toEqual([file("a", "5")]);
    });

    it("are of sessions on their own, refuse a lost lease, and go with the session", async () => {
      const [lease, other] = [await leaseOf("s"), await leaseOf("t")];
      await store().checkpoints.putCheckpoint(lease, checkpoint([put(file("a", "1"))]));
      await store().checkpoints.putCheckpoint(other, checkpoint([put(file("a", "2"))]));
      expect(await entriesOf("t", 1)).toEqual([file("a", "2")]);
      await store().claimLease("s", "o", 60_000);
      const late = store().checkpoints.putCheckpoint(lease, checkpoint([gone("a")]));
      await expect(late).rejects.toBeInstanceOf(LeaseLost);
      expect(await store().checkpoints.checkpoints("s")).toHaveLength(1);
      await store().deleteSession("s");
      expect(await store().checkpoints.checkpoints("s")).toEqual([]);
      await leaseOf("s");
      expect(await entriesOf("s", 1)).toEqual([]);
    });

    it("of thousands of files are kept whole", async () => {
      const lease = await leaseOf("s");
      const entries = Array.from({ length: 1_700 }, (_, index) => file(`f${String(index).padStart(5, "0")}`, "h"));
      await store().checkpoints.putCheckpoint(lease, checkpoint(entries.map((it) => put(it))));
      const found = await store().checkpoints.entries("s", 1, { limit: 5_000 });
      expect(found).toEqual(entries);
    });
  });

  describe("contents", () => {
    it("are kept by hash, small and large ones, empty ones too", async () => {
      const { checkpoints } = store();
      const [small, empty, large] = [Buffer.from([0, 255, 10]), Buffer.alloc(0), Buffer.alloc(3_000_000, 7)];
      await checkpoints.putBlobs([small, empty].map((bytes) => ({ hash: sha256(bytes), bytes })));
      const half = large.length / 2;
      expect(await checkpoints.putBlob(streamOf(large.subarray(0, half), large.subarray(half)))).toEqual({
        hash: sha256(large),
        size: large.length,
      });
      for (const bytes of [small, empty, large]) {
        expect(Buffer.compare((await bytesOf(sha256(bytes)))!, bytes)).toBe(0);
      }
      expect(await bytesOf("0".repeat(64))).toBeUndefined();
      const found = await checkpoints.blobs([sha256(small), sha256(empty), "0".repeat(64)]);
      expect([...found.keys()].sort()).toEqual([sha256(small), sha256(empty)].sort());
    });

    it("that break off leave nothing", async () => {
      async function* broken() {
        yield Buffer.alloc(10);
        throw new Error("it broke off");
      }
      await expect(store().checkpoints.putBlob(broken())).rejects.toThrow("it broke off");
      expect(await bytesOf(sha256(Buffer.alloc(10)))).toBeUndefined();
    });

    it("are swept when no checkpoint names them, not within their grace", async () => {
      const lease = await leaseOf("s");
      const { checkpoints } = store();
      const [kept, old, large] = [Buffer.from("kept"), Buffer.from("old"), Buffer.alloc(2_000_000, 1)];
      await checkpoints.putBlobs([kept, old].map((bytes) => ({ hash: sha256(bytes), bytes })));
      await checkpoints.putBlob(streamOf(large));
      await checkpoints.putCheckpoint(lease, checkpoint([put(file("a", sha256(kept)))]));
      const sweep = async (graceMs: number) => {
        for (let at: string | undefined = ""; at !== undefined; ) at = await checkpoints.sweepBlobs(at, graceMs);
      };
      await sweep(60_000);
      expect(await bytesOf(sha256(old))).toBeDefined();
      await sweep(-1);
      expect(await bytesOf(sha256(old))).toBeUndefined();
      expect(await bytesOf(sha256(large))).toBeUndefined();
      expect(await bytesOf(sha256(kept))).toBeDefined();
    });
  });
}
