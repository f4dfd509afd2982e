/** The checkpoints of a session over `/api`: listed, read, compared and downloaded, without a sandbox. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RuntimeCheckpointDiff, RuntimeCheckpointsResponse } from "@sandbox-agent-ts/protocol";
import { expect, onTestFinished, test } from "vitest";
import { startTestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";

const long = 120_000;
const lines = (word: string) => `one\n${word}\nthree\n`;

test("checkpoints are listed, read, compared and downloaded while no sandbox runs", { timeout: long }, async () => {
  const world = await startTestRuntime();
  const { client, gateway, runtime } = world;
  const { key } = await runtime.keys.create({ name: "ann", principal: "ann" });
  const ann = await world.clientOf("ann");
  const get = (path: string, token = key) =>
    fetch(`${gateway.url}/api/sessions/s${path}`, { headers: { authorization: `Bearer ${token}` } });
  const json = async <T>(path: string) => (await (await get(path)).json()) as T;
  const write = (path: string, content: string | Uint8Array) => ann.writeFsFile({ sessionId: "s", path }, content);
  const turn = async (count: number) => {
    await ann.postMessage("s", { message: "hello" });
    await turnsOf(client, "s", count);
    const session = await runtime.sessions.loadSession("s");
    await expect.poll(() => session.isRunning, { timeout: 30_000 }).toBe(false);
  };
  await ann.createSession("s", { agent: "mock" });
  expect(await json("/checkpoints")).toEqual({ checkpoints: [], kept: 20 });
  await write("src/a.txt", lines("two"));
  await write("old name", "moved\n");
  await write("gone", "gone\n");
  await write("binary", Uint8Array.of(0, 1, 2));
  await write(".env", "SECRET=1");
  await turn(1);
  await write("src/a.txt", lines("TWO"));
  await write("new\nfile", "new\n");
  await write("binary", Uint8Array.of(0, 1, 3));
  await ann.moveFs({ from: "old name", to: "new name" }, { sessionId: "s" });
  await ann.deleteFsEntry({ sessionId: "s", path: "gone" });
  await turn(2);
  await runtime.sessions.unloadSession("s");
  expect(await world.sandboxes()).toEqual([]);

  const { checkpoints } = await json<RuntimeCheckpointsResponse>("/checkpoints");
  const [last, ...older] = checkpoints;
  const first = older.at(-1)!;
  expect(first).toMatchObject({
    number: 1,
    leftOut: { secret: 1 },
    leftOutExamples: [{ path: ".env", reason: "secret" }],
  });
  expect(first.entries).toBe(5);
  expect(last!.sequence).toBeGreaterThan(first.sequence);

  expect(await json("/files")).toMatchObject({
    files: [{ path: "binary" }, { path: "new\nfile" }, { path: "new name" }, { path: "src/a.txt", size: 14 }],
    isWhole: true,
    checkpoint: last!.number,
  });
  expect(await (await get("/files/src/a.txt")).text()).toBe(lines("TWO"));
  const old = await get("/files/src/a.txt?checkpoint=1");
  expect([await old.text(), old.headers.get("content-disposition")]).toEqual([lines("two"), "attachment"]);
  expect((await get("/files/gone")).status).toBe(404);
  for (const path of ["/files?checkpoint=99", "/checkpoints/99/tar", "/checkpoints/1/diff/99"]) {
    expect((await get(path)).status, path).toBe(404);
  }
  for (const path of ["/files?checkpoint=x", "/checkpoints/x/tar", "/checkpoints/1/diff/-1"]) {
    expect((await get(path)).status, path).toBe(400);
  }

  const change = await json<RuntimeCheckpointDiff>(`/checkpoints/1/diff/${last!.number}`);
  expect(change).toMatchObject({ from: 1, to: last!.number, truncated: false, notes: [] });
  expect(change.files).toEqual([
    { path: "binary", status: "modified", additions: 0, deletions: 0, binary: true },
    { path: "gone", status: "deleted", additions: 0, deletions: 1 },
    { path: "new\nfile", status: "added", additions: 1, deletions: 0 },
    { path: "new name", oldPath: "old name", status: "renamed", additions: 0, deletions: 0 },
    { path: "src/a.txt", status: "modified", additions: 1, deletions: 1 },
  ]);
  const summary = await json<RuntimeCheckpointDiff>(`/checkpoints/1/diff/${last!.number}?format=summary`);
  expect(summary).not.toHaveProperty("diff");

  const top = mkdtempSync(join(tmpdir(), "checkpoint-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const unpack = async (number: number) => {
    const directory = join(top, `${number}`);
    mkdirSync(directory);
    const archive = Buffer.from(await (await get(`/checkpoints/${number}/tar`)).arrayBuffer());
    execFileSync("tar", ["-x", "-C", directory], { input: archive });
    return directory;
  };
  const [before, after] = [await unpack(1), await unpack(last!.number)];
  expect(readFileSync(join(after, "src/a.txt"), "utf8")).toBe(lines("TWO"));
  writeFileSync(join(top, "patch"), change.diff!);
  execFileSync("git", ["apply", join(top, "patch")], { cwd: before });
  rmSync(join(before, "binary"));
  rmSync(join(after, "binary"));
  expect(execFileSync("diff", ["-r", before, after], { encoding: "utf8" })).toBe("");

  const { key: bob } = await runtime.keys.create({ name: "bob", principal: "bob" });
  for (const path of ["/checkpoints", "/checkpoints/1/tar", "/checkpoints/1/diff/2", "/files?checkpoint=x"]) {
    expect((await get(path, bob)).status, path).toBe(404);
  }
});
