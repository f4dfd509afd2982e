/**
 * Feared: a sandbox that is gone takes the files with it; or a file comes back that is not byte by byte the same.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestRuntime, type TestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";

async function turn({ client }: TestRuntime, count: number) {
  await client.postMessage("s", { message: "hello" });
  return turnsOf(client, "s", count);
}

async function workspaceOf({ store, provider }: TestRuntime): Promise<string> {
  const row = await store.sandboxOf("s");
  return (await provider.attach(row!.providerId))!.paths.workspace;
}

/** Ends the sandbox as an accident would. */
async function destroySandbox({ store, provider }: TestRuntime): Promise<void> {
  const row = await store.sandboxOf("s");
  await (await provider.attach(row!.providerId))!.destroy();
}

/** Resolves when the checkpoint of the n-th turn is kept. */
async function checkpointed({ store }: TestRuntime, count: number): Promise<void> {
  await expect.poll(async () => (await store.checkpoints.checkpoints("s"))[0]?.number, { timeout: 30_000 }).toBe(count);
}

const manifestOf = async ({ client }: TestRuntime) => (await client.getFsManifest({ sessionId: "s" })).text();

const odd = Buffer.from([0x63, 0xe9]);

function fill(workspace: string): void {
  mkdirSync(join(workspace, "src/deep/er"), { recursive: true });
  for (let index = 0; index < 300; index += 1) {
    writeFileSync(join(workspace, "src", `f${index}.ts`), `export const n = ${index % 40};\n`.repeat(index));
  }
  writeFileSync(join(workspace, "src/deep/er", "a\nb ü"), "odd");
  writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), odd]), "no UTF-8");
  writeFileSync(join(workspace, "x".repeat(250)), "");
  writeFileSync(join(workspace, "run.sh"), "#!/bin/sh\n");
  chmodSync(join(workspace, "run.sh"), 0o755);
  writeFileSync(join(workspace, "large.bin"), Buffer.alloc(3_000_000, 5));
  writeFileSync(join(workspace, ".env"), "SECRET=1");
  symlinkSync("/etc/passwd", join(workspace, "link"));
}

test("files and conversation are back in a new sandbox, and a second checkpoint moves only what changed", async () => {
  const world = await startTestRuntime();
  await world.client.createSession("s", { agent: "mock" });
  await turn(world, 1);
  await checkpointed(world, 1);
  const workspace = await workspaceOf(world);
  fill(workspace);
  await turn(world, 2);
  await checkpointed(world, 2);
  const before = await manifestOf(world);
  await destroySandbox(world);

  const events = await turn(world, 3);
  expect(events.at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
  await checkpointed(world, 3);
  const again = await workspaceOf(world);
  expect(again).not.toBe(workspace);
  const isKept = (line: string) => !line.includes('"left_out"') && !line.includes('"end"');
  expect((await manifestOf(world)).split("\n").filter(isKept)).toEqual(before.split("\n").filter(isKept));
  expect(readFileSync(Buffer.concat([Buffer.from(`${again}/`), odd]), "utf8")).toBe("no UTF-8");
  expect(readlinkSync(join(again, "link"))).toBe("/etc/passwd");
  expect(lstatSync(join(again, "run.sh")).mode & 0o777).toBe(0o755);
  expect(() => lstatSync(join(again, ".env"))).toThrow("ENOENT");

  const put: number[] = [];
  const { checkpoints } = world.store;
  const { putBlobs } = checkpoints;
  checkpoints.putBlobs = (blobs) => {
    put.push(blobs.length);
    return putBlobs.call(checkpoints, blobs);
  };
  writeFileSync(join(again, "src/f1.ts"), "changed");
  rmSync(join(again, "src/f2.ts"));
  await turn(world, 4);
  await checkpointed(world, 4);
  expect(put).toEqual([1]);
  expect((await checkpoints.checkpoints("s")).map(({ number }) => number)).toEqual([4, 3, 2, 1]);
});

test("what was written after the last turn is kept when the sandbox is ended, and can be read without one", async () => {
  const world = await startTestRuntime();
  const { client, runtime } = world;
  await client.createSession("s", { agent: "mock" });
  await turn(world, 1);
  await client.writeFsFile({ sessionId: "s", path: "notes/a.txt" }, "kept");
  const { head } = (await runtime.sessions.loadSession("s")).readers;
  await runtime.sessions.unloadSession("s");
  expect(await world.sandboxes()).toEqual([]);

  expect(new TextDecoder().decode(await client.readFsFile({ sessionId: "s", path: "notes/a.txt" }))).toBe("kept");
  expect(await client.listFsEntries({ sessionId: "s" })).toMatchObject([{ name: "notes", entryType: "directory" }]);
  expect(await client.listFsEntries({ sessionId: "s", path: "notes" })).toMatchObject([{ name: "a.txt", size: 4 }]);
  expect(await client.statFs({ sessionId: "s", path: "notes/a.txt" })).toMatchObject({ entryType: "file", size: 4 });
  expect(await manifestOf(world)).toContain('"path":"notes/a.txt"');
  const archive = Buffer.from(await new Response(await client.packFs({}, { sessionId: "s" })).arrayBuffer());
  expect(execFileSync("tar", ["-t"], { input: archive, encoding: "utf8" })).toBe("notes/\nnotes/a.txt\n");
  for (const path of ["notes/no", "../x", "/etc/passwd", "notes/a.txt/b"]) {
    await expect(client.readFsFile({ sessionId: "s", path }), path).rejects.toMatchObject({ status: 404 });
  }
  expect(await world.sandboxes()).toEqual([]);
  const [last] = await world.store.checkpoints.checkpoints("s");
  expect(last?.sequence).toBe(head);

  const { client: other } = { client: await world.clientOf("somebody else") };
  await expect(other.readFsFile({ sessionId: "s", path: "notes/a.txt" })).rejects.toMatchObject({ status: 404 });
  await turn(world, 2);
  expect(readFileSync(join(await workspaceOf(world), "notes/a.txt"), "utf8")).toBe("kept");
});
