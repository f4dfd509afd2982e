import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineSplitter } from "./line-splitter.ts";

type Output = { line: string } | { bytes: number; head: string };

function split(chunks: readonly Buffer[], maxLineBytes: number) {
  const output: Output[] = [];
  let calls = 0;
  const splitter = createLineSplitter(maxLineBytes, {
    onLines: (lines) => {
      calls += 1;
      for (const line of lines) output.push({ line });
    },
    onOversizedLine: (line) => output.push(line),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return { output, calls };
}

function chop(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const line = fc.string({ unit: "binary", maxLength: 40 }).map((text) => text.replaceAll("\n", "").replace(/\r+$/, ""));
const ending = fc.constantFrom("\n", "\r\n");
const cuts = fc.array(fc.nat(), { maxLength: 30 });
const bound = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(1024 * 1024));

test("however the bytes are chopped, every line comes whole and in order, and exactly the oversized ones are left out", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(line, ending)), cuts, bound, (lines, cuts, maxLineBytes) => {
      const bytes = Buffer.from(lines.map(([text, end]) => text + end).join(""));
      const expected = lines.map(([text, end]): Output => {
        const size = Buffer.byteLength(text + end) - 1;
        return size > maxLineBytes ? { bytes: size, head: (text + end).slice(0, -1) } : { line: text };
      });
      expect(split(chop(bytes, cuts), maxLineBytes).output).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test("the lines of one read come in one call", () => {
  expect(split([Buffer.from("a\nb\n\nc")], 100)).toEqual({
    output: [{ line: "a" }, { line: "b" }, { line: "" }, { line: "c" }],
    calls: 2,
  });
});

test("an oversized line is reported with a head of 1 KiB that ends in a whole character", () => {
  const [oversized] = split([Buffer.from(`x${"é".repeat(2000)}\n`)], 1024).output;
  expect(oversized).toEqual({ bytes: 4001, head: `x${"é".repeat(511)}` });
});

test("an endless line is not held in memory", () => {
  const chunk = Buffer.alloc(64 * 1024, "x");
  const splitter = createLineSplitter(1024 * 1024, { onLines() {}, onOversizedLine() {} });
  const before = process.memoryUsage().arrayBuffers;
  for (let pushed = 0; pushed < 50 * 1024 * 1024; pushed += chunk.length) splitter.push(chunk);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
});
