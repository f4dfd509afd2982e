import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SecretBox } from "../access/secret-box.ts";
import { MemoryRuntimeStore } from "../store/memory/memory-runtime-store.ts";
import { Profiles } from "./profiles.ts";

function make(directory?: string) {
  const store = new MemoryRuntimeStore();
  return { store, profiles: new Profiles({ store, secrets: new SecretBox("a key"), directory }) };
}

const session = { uid: "u", owner: "o", agent: "mock", createdAt: 1, settings: null };

test("a change is a new version, the same again is not, and versions stay as they are", async () => {
  const { profiles } = make();
  expect(await profiles.put("keeper", { systemPrompt: "1", description: "Keeps" })).toMatchObject({ version: 1 });
  expect(await profiles.put("keeper", { systemPrompt: "1", description: "Keeps" })).toMatchObject({ version: 1 });
  expect(await profiles.put("keeper", { systemPrompt: "2" })).toMatchObject({ version: 2 });
  expect(await profiles.get("keeper")).toMatchObject({ reference: "keeper@2", profile: { systemPrompt: "2" } });
  expect(await profiles.get("keeper@1")).toMatchObject({ version: 1, profile: { systemPrompt: "1" } });
  expect(await profiles.list()).toMatchObject([{ name: "keeper", version: 2 }]);
  await expect(profiles.get("keeper@3")).rejects.toThrow('no profile "keeper@3"');
  await expect(profiles.get("../x")).rejects.toThrow('no profile "../x"');
});

test("of many changes at once each is a version of its own", async () => {
  const { profiles } = make();
  await Promise.all(["a", "b", "c", "d"].map((systemPrompt) => profiles.put("keeper", { systemPrompt })));
  const all = await Promise.all([1, 2, 3, 4].map((version) => profiles.load(`keeper@${version}`)));
  expect(all.map(({ systemPrompt }) => systemPrompt)).toEqual(["a", "b", "c", "d"]);
});

test("nothing of it is in the store in plain", async () => {
  const { profiles, store } = make();
  await profiles.put("keeper", { systemPrompt: "hidden words", secrets: { KEY: "hidden key" } });
  expect(JSON.stringify(await store.profiles())).not.toContain("hidden");
});

test("what the store says of a profile does not help to guess its secrets", async () => {
  const profile = { secrets: { PIN: "1234" } };
  const { profiles, store } = make();
  await profiles.put("keeper", profile);
  const plain = createHash("sha256").update(JSON.stringify(profile)).digest("hex");
  expect(JSON.stringify(await store.profiles())).not.toContain(plain);
  const other = new MemoryRuntimeStore();
  await new Profiles({ store: other, secrets: new SecretBox("another key") }).put("keeper", profile);
  expect((await other.profile("keeper"))?.profile).not.toEqual((await store.profile("keeper"))?.profile);
});

test("after a rotation of the key the same profile is no new version, another is", async () => {
  const { profiles, store } = make();
  await profiles.put("keeper", { systemPrompt: "1" });
  const rotating = new Profiles({ store, secrets: new SecretBox("a new key", ["a key"]) });
  expect(await rotating.put("keeper", { systemPrompt: "1" })).toMatchObject({ version: 1 });
  expect(await rotating.put("keeper", { systemPrompt: "2" })).toMatchObject({ version: 2 });
  const rotated = new Profiles({ store, secrets: new SecretBox("a new key") });
  expect(await rotated.put("keeper", { systemPrompt: "2" })).toMatchObject({ version: 2 });
});

test("a deleted profile is gone but for the versions that sessions began with, and no version is given again", async () => {
  const { profiles, store } = make();
  await profiles.put("keeper", { systemPrompt: "1" });
  await profiles.put("keeper", { systemPrompt: "2" });
  await store.createSession({ ...session, sessionId: "s", profile: "keeper@1" });
  expect(await profiles.delete("keeper")).toBe(true);
  expect(await profiles.delete("keeper")).toBe(false);
  expect(await profiles.list()).toEqual([]);
  await expect(profiles.get("keeper")).rejects.toThrow("no profile");
  expect(await profiles.load("keeper@1")).toEqual({ systemPrompt: "1" });
  await expect(profiles.load("keeper@2")).rejects.toThrow("no profile");
  expect(await profiles.put("keeper", { systemPrompt: "3" })).toMatchObject({ version: 3 });
});

test("a directory is read again when it changed", async () => {
  const directory = mkdtempSync(join(tmpdir(), "profiles-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, "keeper"));
  writeFileSync(join(directory, "keeper", "system-prompt.md"), "1");
  const { profiles } = make(directory);
  expect(await profiles.list()).toMatchObject([{ name: "keeper", version: 1 }]);
  expect(await profiles.get("keeper")).toMatchObject({ version: 1, profile: { systemPrompt: "1" } });
  writeFileSync(join(directory, "keeper", "system-prompt.md"), "2");
  expect(await profiles.get("keeper")).toMatchObject({ version: 2, profile: { systemPrompt: "2" } });
  expect(await profiles.get("keeper@1")).toMatchObject({ profile: { systemPrompt: "1" } });
});
