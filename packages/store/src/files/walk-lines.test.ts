import { expect, it } from "vitest";
import { walkLines } from "./walk-lines.ts";

async function walked(bytes: Buffer, maxLineBytes?: number) {
  const read = async (position: number, length: number) => bytes.subarray(position, position + length);
  const lines = [];
  for await (const some of walkLines(read, [0, bytes.length], maxLineBytes)) lines.push(...some);
  return lines;
}

it("lines come whole, also those longer than a block, without what follows the last newline", async () => {
  const texts = ["", "a", "b".repeat(300_000), "c".repeat(256 * 1024 - 1), "", "d".repeat(1_000_000)];
  const lines = await walked(Buffer.from(`${texts.join("\n")}\ntorn`));
  expect(lines.map(({ bytes }) => bytes.toString())).toEqual(texts);
  expect(lines.map(({ length }) => length)).toEqual(texts.map((text) => text.length));
});

it("of a line that is too long only the beginning comes, with its length", async () => {
  const [first, long, last] = await walked(Buffer.from(`a\n${"b".repeat(2_000_000)}\nc\n`), 500_000);
  expect([first, last]).toMatchObject([{ length: 1 }, { length: 1 }]);
  expect(long?.length).toBe(2_000_000);
  expect(long?.bytes.toString()).toBe("b".repeat(4096));
});

it("a gigabyte without a newline is walked and not held", async () => {
  const block = Buffer.alloc(256 * 1024);
  const lines = [];
  for await (const some of walkLines(async (_, length) => block.subarray(0, length), [0, 2 ** 30], 1024 * 1024)) {
    lines.push(...some);
  }
  expect(lines).toEqual([]);
});
