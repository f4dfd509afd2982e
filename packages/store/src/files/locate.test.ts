import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { rawSequenceOf } from "../raw-lines.ts";
import { temporaryDirectory } from "./__fixtures__/temporary-directory.ts";
import { Journal } from "./journal.ts";
import { locate } from "./locate.ts";
import { OpenFiles } from "./open-files.ts";

const lineOf = (sequence: number, length: number) => `{"sequence":${sequence},"raw":"${"x".repeat(length)}"}\n`;

function withJournal<T>(text: string, use: (journal: Journal) => Promise<T>): Promise<T> {
  const path = join(temporaryDirectory(), "journal");
  writeFileSync(path, text);
  const journal = new Journal(path, Buffer.byteLength(text), new OpenFiles(10));
  return use(journal).finally(() => journal.close());
}

describe("the place of a sequence", () => {
  it("is found among lines of any length with any gaps", async () => {
    const length = fc.oneof({ weight: 8, arbitrary: fc.nat(2000) }, { weight: 2, arbitrary: fc.nat(200_000) });
    const line = fc.record({ gap: fc.integer({ min: 1, max: 3 }), length });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 60 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        async (shapes, wanted) => {
          let text = "";
          let sequence = 0;
          const starts: { sequence: number; start: number }[] = [];
          for (const shape of shapes) {
            sequence += shape.gap;
            starts.push({ sequence, start: text.length });
            text += lineOf(sequence, shape.length);
          }
          await withJournal(text, async (journal) => {
            for (const each of [0, sequence, ...wanted.map((n) => n % (sequence + 2))]) {
              const expected = starts.find((entry) => entry.sequence > each)?.start ?? text.length;
              expect(await locate(journal, each, rawSequenceOf)).toBe(expected);
            }
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("costs a handful of reads among a hundred thousand lines, and behind a very long one", async () => {
    const many = Array.from({ length: 100_000 }, (_, n) => lineOf(n + 1, 100)).join("");
    const long = lineOf(1, 10) + lineOf(2, 20_000_000) + lineOf(3, 10);
    for (const [text, after] of [
      [many, 1],
      [many, 50_000],
      [many, 99_998],
      [long, 1],
      [long, 2],
    ] as const) {
      await withJournal(text, async (journal) => {
        const read = vi.spyOn(journal, "read");
        await locate(journal, after, rawSequenceOf);
        expect(read.mock.calls.length).toBeLessThan(200);
      });
    }
  });
});
