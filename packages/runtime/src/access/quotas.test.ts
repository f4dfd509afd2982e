import { expect, it } from "vitest";
import { leased } from "../store/contract/samples.ts";
import { MemoryRuntimeStore } from "../store/memory/memory-runtime-store.ts";
import { Quotas } from "./quotas.ts";

it("a principal has a quota of its own, or in parts everybody's", () => {
  const quotas = new Quotas(new MemoryRuntimeStore(), {
    default: { sessions: 2, turns: 3 },
    principals: { bob: { sessions: 1 } },
  });
  expect(quotas.of("ann")).toEqual({ sessions: 2, turns: 3 });
  expect(quotas.of("bob")).toEqual({ sessions: 1, turns: 3 });
  expect(quotas.of("__proto__")).toEqual({ sessions: 2, turns: 3 });
  expect(new Quotas(new MemoryRuntimeStore()).of("ann")).toEqual({});
});

it("a sandbox has its place from before it is made, and gives it back when that fails", async () => {
  const store = new MemoryRuntimeStore();
  const quotas = new Quotas(store, { default: { sandboxes: 1 } });
  const [a, b] = [await leased(store, "a"), await leased(store, "b")];
  const failed = quotas.sandbox("ann", a, async () => {
    await expect(quotas.sandbox("ann", b, async () => "made")).rejects.toThrow("ann has 1 sandboxes and may have 1.");
    throw new Error("no machine");
  });
  await expect(failed).rejects.toThrow("no machine");
  expect(await quotas.sandbox("ann", b, async () => "made")).toBe("made");
});
