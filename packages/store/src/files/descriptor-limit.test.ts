import { expect, test } from "vitest";
import { descriptorLimit } from "./descriptor-limit.ts";

test.each([
  ["Max open files            256                  4096                 files", 256],
  ["Max processes             7                    7                    processes", 1024],
  ["Max open files            unlimited            unlimited            files", Number.MAX_SAFE_INTEGER],
])("%s", (line, limit) => {
  expect(descriptorLimit(() => `Limit                     Soft Limit           Hard Limit\n${line}\n`)).toBe(limit);
});

test("a system that does not say has the usual limit", () => {
  const unreadable = () => {
    throw new Error("ENOENT");
  };
  expect(descriptorLimit(unreadable)).toBe(1024);
});
