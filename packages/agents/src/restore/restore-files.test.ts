/** Feared: a conversation that brings settings, or lands beside the agent's things. */
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SessionConfig } from "../agent.ts";
import { restoreFiles } from "./restore-files.ts";

const session: SessionConfig = {
  sessionId: "s",
  agentMode: "build",
  permissionMode: "default",
  directory: "/work",
  env: {},
};
const write = (_events: unknown, about: { nativeSessionId: string; directory: string }) => ({
  path: `talks/${about.nativeSessionId}.jsonl`,
  text: about.directory,
});

async function place() {
  const root = await mkdtemp(join(tmpdir(), "restore-"));
  onTestFinished(() => rm(root, { recursive: true }));
  return { root, folder: "talks" };
}

test("events become the agent's own file under a new id", async () => {
  const { root, folder } = await place();
  const restored = await restoreFiles({ session, conversation: { events: [] } }, write, { root, folder });
  const file = join(root, "talks", `${restored.nativeSessionId}.jsonl`);
  expect(await readFile(file, "utf8")).toBe("/work");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("files keep their names, and the id they were known by", async () => {
  const { root, folder } = await place();
  const files = [
    { path: "talks/a/one.jsonl", text: "1" },
    { path: "talks/two.jsonl", text: "2" },
  ];
  const conversation = { nativeSessionId: "native", files };
  expect(await restoreFiles({ session, conversation }, write, { root, folder })).toEqual({ nativeSessionId: "native" });
  expect((await readdir(root, { recursive: true })).sort()).toEqual([
    "talks",
    "talks/a",
    "talks/a/one.jsonl",
    "talks/two.jsonl",
  ]);
});

test.each([
  "settings.json",
  "talks",
  "talks/",
  "talks/../settings.json",
  "/etc/passwd",
  "../talks/x",
  "talks/./x",
  "talks/a\0b",
])("%j is refused, and nothing is written", async (path) => {
  const { root, folder } = await place();
  const files = [
    { path: "talks/fine.jsonl", text: "x" },
    { path, text: "x" },
  ];
  const conversation = { nativeSessionId: "native", files };
  await expect(restoreFiles({ session, conversation }, write, { root, folder })).rejects.toMatchObject({
    code: "invalid_request",
  });
  expect(await readdir(root)).toEqual([]);
});
