/** Feared: one damaged line in a journal of payloads takes those of other events away, or a search in it never ends. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { endOfRawLines, rawSequenceOf } from "./raw-lines.ts";

/** Up to the first line of a later event, one line after the other. */
function endByLooking(text: string, sequence: number): number {
  let at = 0;
  while (at < text.length && !((rawSequenceOf(text.slice(at, at + 40)) ?? 0) > sequence))
    at = text.indexOf("\n", at) + 1;
  return at;
}

const damaged = fc.constantFrom("", "\0\0\0", '{"sequence":', '"raw":{}}', "x".repeat(500));

test("lines up to an event end before the first of a later one, wherever some are damaged", () => {
  const line = fc.record({ gap: fc.nat(3), length: fc.nat(300), before: fc.array(damaged, { maxLength: 2 }) });
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 20 }),
      fc.array(damaged, { maxLength: 2 }),
      fc.nat(60),
      (lines, end, to) => {
        let sequence = 0;
        const texts = lines.flatMap(({ gap, length, before }) => {
          sequence += gap + 1;
          return [...before, `{"sequence":${sequence},"raw":"${"y".repeat(length)}"}`];
        });
        const text = [...texts, ...end].map((each) => `${each}\n`).join("");
        expect(endOfRawLines(text, to)).toBe(endByLooking(text, to));
      },
    ),
  );
});
