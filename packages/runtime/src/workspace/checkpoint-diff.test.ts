/** The diff of two checkpoints is one that git takes, whatever the files are called and became. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import { expect, onTestFinished, test } from "vitest";
import { MemoryCheckpointStore } from "../store/memory/memory-checkpoint-store.ts";
import { checkpointDiff, type DiffLimits } from "./checkpoint-diff.ts";

/** By path: a file's text with its mode, or where a symlink points. */
type Tree = Readonly<Record<string, { text: string; mode?: number } | { target: string }>>;

const lease = { sessionId: "s", owner: "o", epoch: 1 } as never;

async function storeOf(...trees: Tree[]) {
  const store = new MemoryCheckpointStore(() => {});
  let before: Tree = {};
  for (const tree of trees) {
    const gone = Object.keys(before).filter((path) => !(path in tree));
    const changes = Object.entries(tree).map(([path, leaf]) => ({ path, entry: entryOf(path, leaf) }));
    for (const leaf of Object.values(tree)) {
      if ("text" in leaf) await store.putBlobs([{ hash: hashOf(leaf.text), bytes: Buffer.from(leaf.text) }]);
    }
    await store.putCheckpoint(lease, {
      ...{ sequence: 1, at: 1, directory: "/w", tag: "", summary: {}, keep: 20 },
      changes: [...changes, ...gone.map((path) => ({ path, entry: undefined }))].map(({ path, entry }) => ({
        ...{ path: Buffer.from(path), entry, isKnown: path in before },
      })),
    });
    before = tree;
  }
  return (options: { withText?: boolean; limits?: DiffLimits } = {}) =>
    checkpointDiff(store, "s", { from: 1, to: trees.length, withText: options.withText ?? true }, options.limits);
}

function entryOf(path: string, leaf: Tree[string]): WorkspaceEntry {
  if ("target" in leaf) return { type: "symlink", path, target: leaf.target };
  const { text, mode = 0o644 } = leaf;
  return { type: "file", path, mode, mtime: 0, size: Buffer.byteLength(text), hash: hashOf(text) };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function write(directory: string, tree: Tree): void {
  for (const [path, leaf] of Object.entries(tree)) {
    const place = join(directory, path);
    mkdirSync(dirname(place), { recursive: true });
    if ("target" in leaf) symlinkSync(leaf.target, place);
    else writeFileSync(place, leaf.text, { mode: leaf.mode ?? 0o644 });
  }
}

test("git makes the second tree of the first", async () => {
  const before: Tree = {
    'a\u0001\tb\n"c\\': { text: "one\ntwo\n" },
    "became a link": { text: "file" },
    "became a file": { target: "elsewhere" },
    "deep/ünïcödé \u2028": { text: "no end of line" },
    executable: { text: "#!/bin/sh\n", mode: 0o644 },
    "was empty": { text: "" },
    "moved and executable": { text: "same\n" },
    link: { target: "here" },
    "--- looks like a header": { text: "-- a\n+++ b\n" },
    "carriage return": { text: "a\r+b\r-c\n" },
  };
  const after: Tree = {
    'a\u0001\tb\n"c\\': { text: "one\n2\n" },
    "became a link": { target: "there" },
    "became a file": { text: "file now\n" },
    "deep/ünïcödé \u2028": { text: "with one\n" },
    executable: { text: "#!/bin/sh\n", mode: 0o755 },
    "was empty": { text: "full\n" },
    "new and empty": { text: "" },
    "moved\u007f": { text: "same\n", mode: 0o755 },
    link: { target: "there" },
    "--- looks like a header": { text: "" },
    "carriage return": { text: "a\r+b\r-d\n" },
  };
  const diff = await (await storeOf(before, after))();
  const directory = mkdtempSync(join(tmpdir(), "diff-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  write(join(directory, "w"), before);
  writeFileSync(join(directory, "patch"), diff.diff!);
  execFileSync("git", ["apply", "../patch"], { cwd: join(directory, "w") });
  for (const [path, leaf] of Object.entries(after)) {
    const place = join(directory, "w", path);
    if ("target" in leaf) expect(readlinkSync(place), path).toBe(leaf.target);
    else {
      expect(readFileSync(place, "utf8"), path).toBe(leaf.text);
      expect(lstatSync(place).mode & 0o100, path).toBe((leaf.mode ?? 0) & 0o100);
    }
  }
  const changes = Object.fromEntries(diff.files.map(({ path, ...change }) => [path, change]));
  expect(Object.keys(changes)).toHaveLength(Object.keys(after).length);
  expect(changes["carriage return"]).toEqual({ status: "modified", additions: 1, deletions: 1 });
  expect(changes["--- looks like a header"]).toEqual({ status: "modified", additions: 0, deletions: 2 });
  expect(changes["became a link"]).toEqual({ status: "modified", additions: 1, deletions: 1 });
  expect(changes["moved\u007f"]).toMatchObject({ status: "renamed", oldPath: "moved and executable" });
});

test("long files are binary whatever else is compared; what goes beyond a limit is told", async () => {
  const long = "long\n".repeat(300_000);
  const compare = await storeOf(
    { a: { text: "a\n" }, long: { text: long }, moved: { text: `${long}!` }, z: { text: "z\n" } },
    { a: { text: "b\n" }, long: { text: `${long}.` }, MOVED: { text: `${long}!` }, z: { text: "Z\n", mode: 0o600 } },
  );
  const limits = { files: 10, comparedBytes: 4, diffLength: 1_000_000 };
  expect(await compare({ withText: false, limits })).toEqual({
    ...{ from: 1, to: 2, truncated: true },
    files: [
      { path: "MOVED", oldPath: "moved", status: "renamed", additions: 0, deletions: 0 },
      { path: "a", status: "modified", additions: 1, deletions: 1 },
      { path: "long", status: "modified", additions: 0, deletions: 0, binary: true },
      { path: "z", status: "modified", additions: 0, deletions: 0 },
    ],
    notes: ["The lines of 1 files were not compared: there is too much in all."],
  });
  const short = await compare({ limits: { files: 2, comparedBytes: 100, diffLength: 20 } });
  expect(short.notes).toEqual(["3 more files differ.", "The diff leaves out 1 files: it would be too long."]);
});

test("what git does not tell is listed and makes no line", async () => {
  const diff = await (await storeOf({ a: { text: "a" } }, { a: { text: "a", mode: 0o600 } }))();
  expect(diff).toMatchObject({ files: [{ path: "a", status: "modified" }], diff: "" });
});
