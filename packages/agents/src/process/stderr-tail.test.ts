import { expect, test } from "vitest";
import { createStderrTail } from "./stderr-tail.ts";

test("a short story is told whole", () => {
  const tail = createStderrTail();
  expect(tail.excerpt()).toEqual({ truncated: false, total_lines: 0 });
  tail.push(Buffer.from("one\ntw"));
  tail.push(Buffer.from("o"));
  expect(tail.excerpt()).toEqual({ head: "one\ntwo", truncated: false, total_lines: 2 });
});

test("of a long one the beginning and the end are kept, in whole characters, and nothing else", () => {
  const tail = createStderrTail();
  for (let n = 1; n <= 20_000; n += 1) tail.push(Buffer.from(`line ${n} €\n`));
  const { head, tail: end, truncated, total_lines } = tail.excerpt();
  expect({ truncated, total_lines }).toEqual({ truncated: true, total_lines: 20_000 });
  expect(head?.startsWith("line 1 €\nline 2 €\n")).toBe(true);
  expect(end?.endsWith("line 19999 €\nline 20000 €\n")).toBe(true);
  expect(`${head}${end}`).not.toContain("\uFFFD");
  expect(Buffer.byteLength(`${head}${end}`)).toBeLessThanOrEqual(20 * 1024);
});

test("characters torn by the cuts are left out", () => {
  const tail = createStderrTail();
  tail.push(Buffer.from("😀".repeat(10_000)));
  const shifted = createStderrTail();
  shifted.push(Buffer.from(`x${"😀".repeat(10_000)}yy`));
  for (const { head, tail: end } of [tail.excerpt(), shifted.excerpt()]) expect(head! + end!).not.toContain("\uFFFD");
});
