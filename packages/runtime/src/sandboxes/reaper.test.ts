/** Feared: a sandbox that is being made is taken for one that nobody owns. */
import { expect, test } from "vitest";
import { scriptedSandboxes } from "../mirror/__fixtures__/scripted-sandboxes.ts";
import { MemoryRuntimeStore } from "../store/memory/memory-runtime-store.ts";
import { inTheMaking } from "./in-the-making.ts";
import { reapSandboxes } from "./reaper.ts";

test("of a service that knows only the second of a creation, what is being made is left alone", async () => {
  const createdAt = Math.floor(Date.now() / 1_000) * 1_000;
  const sandboxes = scriptedSandboxes(() => () => Response.json({}));
  const { id } = await sandboxes.create({ labels: {}, bundle: "/b" });
  const provider = {
    ...sandboxes,
    list: async function* () {
      yield { id, labels: {}, createdAt };
    },
  };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const reap = () => reapSandboxes({ store: new MemoryRuntimeStore(), provider, log, graceMs: 0 });
  expect(await inTheMaking(provider, reap)).toEqual([]);
  await expect.poll(reap, { timeout: 10_000 }).toEqual([id]);
  expect(sandboxes.ended).toEqual([id]);
});
