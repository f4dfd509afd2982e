/** Feared: a tree that is deeper than a process may have files open can be made but not deleted. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";

test("a tree of more levels than there are descriptors is deleted", async () => {
  const root = temporaryDirectory();
  const within = ["sh", "-c", 'ulimit -n 256; exec "$0" "$@"'];
  const { client } = await DaemonProcess.start({ dataDir: temporaryDirectory(), fsRoots: [root], within });
  const deepest = join(root, "tree", ...new Array(400).fill("d"));
  mkdirSync(deepest, { recursive: true });
  writeFileSync(join(deepest, "file"), "");
  const query = `path=${encodeURIComponent(join(root, "tree"))}&recursive=true`;
  const answer = await client.call("DELETE", `/v1/fs/entry?${query}`);
  expect(answer.status, answer.text).toBeLessThan(300);
  expect(existsSync(join(root, "tree"))).toBe(false);
});
