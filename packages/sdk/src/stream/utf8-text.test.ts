/** Feared: a character that comes in two pieces is lost or becomes another one. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Utf8Text } from "./utf8-text.ts";

test("text is the same whatever pieces its bytes come in", () => {
  const run = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.string({ unit: "binary", maxLength: 5 }),
    fc.constant("\ufeff"),
  );
  const cuts = fc.array(fc.nat(8), { maxLength: 200 });
  fc.assert(
    fc.property(fc.array(run), cuts, (runs, lengths) => {
      const bytes = new TextEncoder().encode(runs.join(""));
      const decoder = new Utf8Text();
      let text = "";
      let start = 0;
      for (const length of [...lengths, bytes.length]) {
        text += decoder.decode(bytes.subarray(start, start + length));
        start += length;
      }
      expect(text).toBe(new TextDecoder().decode(bytes));
    }),
    { numRuns: 500 },
  );
});
