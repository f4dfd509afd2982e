/** Feared: what is no JSON, or more than a line of it, is taken for a payload because it looks like the one before. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { PayloadShape } from "./payload-shape.ts";

/** Where the delta is. */
const hole = "<hole>";

const deltas = fc
  .constantFrom("", "a", ",", ":", '"', "\\", '{"a":0}', "}{", "\n", '\\"', "null", "é")
  .map((text) => JSON.stringify(text));
const piece = fc.constantFrom(
  ...[hole, '"', "\\", "{", "}", "[", "]", ",", ":", "1", '"k":', "\n", "\r", "null", '{"t":', '["a', 'b"]'],
);
/** Where a text may stand, and where it may not though it looks so. */
const pieces = fc.oneof(
  fc.constantFrom(
    ['{"type":"delta","text":', hole, "}"],
    ['{"t":{"x":[1,', hole, ',2],"y":"z"}}'],
    ['{"t":', hole, ',"again":', hole, "}"],
    ["{", hole, ":1}"],
    ['{"t":"a', hole, 'b"}'],
    ['["a', hole, 'b"]'],
    ['{"t":"\\', hole, '"}'],
  ),
  fc.array(piece, { maxLength: 8 }),
);

function isLineOfJson(text: string): boolean {
  try {
    JSON.parse(text);
    return !/[\r\n]/.test(text);
  } catch {
    return false;
  }
}

test("a payload counts as JSON when it is JSON, whatever came before it", () => {
  const one = fc.record({ kind: fc.nat(2), delta: deltas, other: deltas });
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 3, maxLength: 3 }), fc.array(one, { maxLength: 30 }), (kinds, told) => {
      const shape = new PayloadShape();
      for (const { kind, delta, other } of told) {
        // The second hole is sometimes another text.
        let filled = 0;
        const payload = kinds[kind]!.map((part) => (part === hole ? (filled++ === 0 ? delta : other) : part)).join("");
        expect([payload, delta, shape.isJson(payload, delta)]).toEqual([payload, delta, isLineOfJson(payload)]);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("payloads that differ in the text alone are parsed once", () => {
  const shape = new PayloadShape();
  const parse = JSON.parse;
  let parsed = 0;
  JSON.parse = (...args) => {
    parsed += 1;
    return parse(...args);
  };
  try {
    for (const text of ["a", "b", "a longer one", 'of "quotes"']) {
      const delta = JSON.stringify(text);
      expect(shape.isJson(`{"method":"delta","params":{"text":${delta},"n":1}}`, delta)).toBe(true);
    }
  } finally {
    JSON.parse = parse;
  }
  // The first one, and once to see whether any text may stand there.
  expect(parsed).toBe(2);
});
