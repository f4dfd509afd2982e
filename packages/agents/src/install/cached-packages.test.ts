/** Feared: a half download that is pruned while it comes, or that leaves something behind when it is. */
import { readdirSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "./__fixtures__/installer-world.ts";
import { listCache, prunable, removeCacheEntries } from "./cached-packages.ts";
import { halfOf } from "./write-whole.ts";

test("a half download is one thing with what lies beside it, in use while it is written", async () => {
  const env = { SANDBOX_AGENT_CACHE_DIR: await temporaryDirectory() };
  const packages = join(env.SANDBOX_AGENT_CACHE_DIR, "packages");
  await mkdir(packages);
  const { bytes, validator, lock } = halfOf(join(packages, "@agents+tool@1.0.0-0123456789abcdef.tgz"));
  await writeFile(bytes, "half");
  for (const path of [validator, lock]) await writeFile(path, "x");
  expect(await listCache(env)).toMatchObject([
    { kind: "partial", name: "@agents/tool@1.0.0", bytes: 6, freedBytes: 6, isInUse: true },
  ]);
  expect(prunable(await listCache(env), { all: true })).toEqual([]);
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await utimes(bytes, anHourAgo, anHourAgo);
  await removeCacheEntries(prunable(await listCache(env), { all: false }));
  expect(readdirSync(packages)).toEqual([]);
});
