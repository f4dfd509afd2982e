import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { grantingSettings, grantingSettingsIn } from "./granting-settings.ts";

const harmless = new Set(["ui", "tools.exclude"]);

test("what is harmless is left out, as a group or by itself", () => {
  expect(grantingSettings({ ui: { theme: "x" }, tools: { exclude: ["a"], allowed: ["b"] } }, harmless)).toEqual([
    "tools.allowed",
  ]);
});

test("what nobody knows is not harmless, also where it is no group", () => {
  expect(grantingSettings({ autoAccept: true, ask: ["x"], later: { on: true } }, harmless)).toEqual([
    "autoAccept",
    "ask",
    "later.on",
  ]);
});

test("an empty group asks for nothing", () => {
  expect(grantingSettings({ mcpServers: {} }, harmless)).toEqual([]);
});

test("a file that is not there asks for nothing, one that cannot be read for anything", async () => {
  const folder = await mkdtemp(join(tmpdir(), "granting-settings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "settings.json");
  expect(await grantingSettingsIn(file, harmless)).toEqual([]);
  await writeFile(file, '{ "tools": { "allowed": [] } } // mine');
  expect(await grantingSettingsIn(file, harmless)).toEqual(["tools.allowed"]);
  await writeFile(file, "{ broken");
  expect(await grantingSettingsIn(file, harmless)).toEqual([`what is in ${file}`]);
});
