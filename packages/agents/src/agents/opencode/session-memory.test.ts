import { expect, test } from "vitest";
import { memoryOf, readMemory } from "./session-memory.ts";

test("what is remembered is read again", () => {
  const memory = { allowed: new Set(["a", "b"]) };
  expect(readMemory(JSON.parse(JSON.stringify(memoryOf(memory))))).toEqual(memory);
});

test.each([undefined, null, 3, [], { allowed: "x" }, { allowed: [1] }])("%j is nothing", (value) => {
  expect(readMemory(value)).toEqual({ allowed: new Set() });
});
