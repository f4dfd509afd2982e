import { expect, test } from "vitest";
import { inTheMaking, makingSince } from "./in-the-making.ts";
import type { SandboxProvider } from "./sandbox-provider.ts";

test("what was made since the first that is not finished may be unknown to the store", async () => {
  const [provider, other] = [{}, {}] as SandboxProvider[] as [SandboxProvider, SandboxProvider];
  let finish: (() => void) | undefined;
  const begunAt = Date.now();
  const making = inTheMaking(provider, () => new Promise<void>((resolve) => (finish = resolve)));
  const failing = inTheMaking(provider, () => Promise.reject(new Error("no room")));
  await expect(failing).rejects.toThrow("no room");
  await expect.poll(() => Date.now()).toBeGreaterThan(begunAt + 1);
  expect(makingSince(provider)).toBeLessThanOrEqual(begunAt + 1);
  expect(makingSince(other)).toBeGreaterThan(begunAt + 1);
  finish?.();
  await making;
  expect(makingSince(provider)).toBeGreaterThan(begunAt + 1);
});
