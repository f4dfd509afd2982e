import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ownNode } from "./own-node.ts";

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-agent-node-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("in Node it is that Node, and nothing is written", async () => {
  const folder = emptyFolder();
  expect(await ownNode(folder)).toBe(process.execPath);
  expect(readdirSync(folder)).toEqual([]);
});

test("in another program that embeds Node there is none", async () => {
  expect(await ownNode("/nowhere", { isSingle: false, path: "/opt/editor/editor" })).toBeUndefined();
});

test("in the single executable it is a link to it", async () => {
  const folder = join(emptyFolder(), "made", "as needed");
  const node = await ownNode(folder, { isSingle: true, path: "/opt/sandbox-agent" });
  expect(node).toBe(join(folder, "node"));
  expect(readlinkSync(node!)).toBe("/opt/sandbox-agent");
  const made = lstatSync(node!).ino;
  await ownNode(folder, { isSingle: true, path: "/opt/sandbox-agent" });
  expect(lstatSync(node!).ino).toBe(made);
});

test("the link follows an executable that was moved, and two at once leave nothing else", async () => {
  const folder = emptyFolder();
  await ownNode(folder, { isSingle: true, path: "/old/sandbox-agent" });
  const now = { isSingle: true, path: "/new/sandbox-agent" };
  await Promise.all([ownNode(folder, now), ownNode(folder, now)]);
  expect(readlinkSync(join(folder, "node"))).toBe("/new/sandbox-agent");
  expect(readdirSync(folder)).toEqual(["node"]);
});
