import { expect, test } from "vitest";
import { SessionMemory } from "./session-memory.ts";

/** A memory, and how it comes back from the disk. */
function keepingMemory(kept: unknown = undefined) {
  const json: string[] = [];
  const memory = new SessionMemory(kept, (value) => json.push(JSON.stringify(value)));
  return {
    memory,
    reread: () => new SessionMemory(JSON.parse(json.at(-1)!), () => {}),
    size: () => json.at(-1)!.length,
  };
}

test("what was settled and said is kept at once, each beside the others", () => {
  const { memory, reread } = keepingMemory();
  memory.allow("use");
  memory.hear("hello");
  expect(reread().isAllowed("use")).toBe(true);
  expect(reread().isAllowed("another use")).toBe(false);
  expect(reread().said).toEqual(["hello"]);
});

test("it stays small, however many and however long the messages are", () => {
  const { memory, size } = keepingMemory();
  for (let at = 0; at < 1000; at += 1) memory.hear(`${at} ${"x".repeat(10_000)}`);
  expect(size()).toBeLessThan(10_000);
  expect(memory.said.at(-1)).toMatch(/^999 x+…$/);
});

test("a long message is cut between its characters", () => {
  const { memory } = keepingMemory();
  memory.hear(`x${"😀".repeat(200)}`);
  expect(memory.said).toEqual([`x${"😀".repeat(199)}…`]);
  memory.hear("😀".repeat(200));
  expect(memory.said.at(-1)).toBe("😀".repeat(200));
});

test.each([null, "text", 7, [], { said: "text", allowedAlways: { a: 1 } }, { said: [1, null] }])(
  "a memory that is %j is as good as none",
  (kept) => {
    const { memory } = keepingMemory(kept);
    expect(memory.said).toEqual([]);
  },
);
