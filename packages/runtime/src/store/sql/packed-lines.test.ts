import { expect, test } from "vitest";
import { packLines, unpackLines } from "./packed-lines.ts";

const lines = (count: number) =>
  Buffer.from(Array.from({ length: count }, (_, n) => `${JSON.stringify({ sequence: n, delta: `é${n}` })}\n`).join(""));

test("many lines take a fraction of their room, and are the same when they are read", () => {
  const packed = packLines(lines(1_000));
  expect(packed.length).toBeLessThan(lines(1_000).length / 4);
  expect(unpackLines(packed)).toEqual(lines(1_000));
});

test("few lines stay as they are, and can be read without being unpacked", () => {
  expect(packLines(lines(3))).toEqual(lines(3));
  expect(unpackLines(lines(1_000))).toEqual(lines(1_000));
});

test("a damaged row is told, not given", () => {
  const packed = packLines(lines(1_000));
  packed[packed.length - 1]! ^= 1;
  expect(() => unpackLines(packed)).toThrow("incorrect data check");
});
