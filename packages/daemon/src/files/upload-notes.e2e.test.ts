/** Feared: half an upload stays in the user's directory for ever because the daemon was killed. */
import { readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { eventually } from "../__fixtures__/eventually.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";

test("the next daemon removes what a killed one left of an upload, and nothing else", async () => {
  const dataDir = temporaryDirectory();
  const root = temporaryDirectory();
  const first = await DaemonProcess.start({ dataDir, fsRoots: [root] });
  const upload = request(`${first.url}/v1/fs/file?path=${encodeURIComponent(join(root, "large"))}`, { method: "PUT" });
  upload.on("error", () => {});
  upload.write(Buffer.alloc(100_000));
  await eventually(() => expect(readdirSync(root)).toEqual([expect.stringMatching(/\.tmp$/)]));
  await first.kill();
  const put = { method: "PUT", body: "whole" };
  const second = await DaemonProcess.start({ dataDir, fsRoots: [root] });
  await fetch(`${second.url}/v1/fs/file?path=${encodeURIComponent(join(root, "other"))}`, put);
  expect(readdirSync(root)).toEqual(["other"]);
  expect(readdirSync(join(dataDir, "uploads"))).toEqual([]);
});
