import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventChunk } from "./event-chunk.ts";

const text = fc.string({ unit: "binary" }).map((value) => JSON.stringify({ value }));
const events = fc.array(text, { minLength: 1, maxLength: 20 });
const encoding = fc.constantFrom("utf8" as const, "latin1" as const);

/** The same events as a log that just made them has them, or as they come from a store. */
function chunkOf(first: number, lines: readonly string[], as: "utf8" | "latin1"): EventChunk {
  const joined = lines.map((line) => `${line}\n`).join("");
  return new EventChunk(first, lines.length, as === "utf8" ? joined : Buffer.from(joined).toString("latin1"), as);
}

/** A server-sent-events reader as the specification has it, for `id` and `data`. */
function parseFrames(bytes: Buffer): { id: string; data: string }[] {
  const blocks = bytes.toString("utf8").split(/\r\n\r\n|\n\n|\r\r/);
  expect(blocks.pop()).toBe("");
  return blocks.map((block) => {
    const fields = block.split(/\r\n|\n|\r/).map((line) => /^(id|data): (.*)$/su.exec(line)!);
    expect(fields.map((field) => field[1])).toEqual(["id", "data"]);
    return { id: fields[0]![2]!, data: fields[1]![2]! };
  });
}

describe("a chunk of events", () => {
  it("is the bytes it was made from", () => {
    fc.assert(
      fc.property(events, encoding, (lines, as) => {
        const chunk = chunkOf(7, lines, as);
        expect(chunk.bytes.toString("utf8")).toBe(lines.map((line) => `${line}\n`).join(""));
        expect(chunk.last).toBe(6 + lines.length);
      }),
    );
  });

  it("is one server-sent event for each of its events", () => {
    fc.assert(
      fc.property(events, fc.nat(), encoding, (lines, first, as) => {
        const expected = lines.map((data, index) => ({ id: String(first + index), data }));
        expect(parseFrames(chunkOf(first, lines, as).frames)).toEqual(expected);
      }),
    );
  });

  it("is cut with its payloads, wherever there are some", () => {
    fc.assert(
      fc.property(
        events,
        fc.infiniteStream(fc.boolean()),
        fc.nat(25),
        fc.nat(25),
        encoding,
        (lines, has, after, to, as) => {
          const raw = (n: number) => `{"sequence":${n},"raw":${lines[n - 3]}}\n`;
          const numbers = lines.map((_, index) => index + 3);
          const with_ = numbers.filter(() => has.next().value);
          const payloads = with_.map(raw).join("");
          const whole = new EventChunk(3, lines.length, lines.map((line) => `${line}\n`).join(""), as, { payloads });
          const cut = whole.between(after, to);
          expect(cut.payloads).toBe(
            cut.count === 0
              ? ""
              : with_
                  .filter((n) => n > after && n <= to)
                  .map(raw)
                  .join(""),
          );
        },
      ),
    );
  });

  it("makes its frames once", () => {
    const chunk = chunkOf(1, ["{}"], "utf8");
    expect(chunk.frames).toBe(chunk.frames);
    expect(chunk.frames.toString()).toBe("id: 1\ndata: {}\n\n");
  });

  it("is cut between any two sequences as a list would be", () => {
    const bound = fc.integer({ min: -3, max: 30 });
    fc.assert(
      fc.property(events, bound, bound, encoding, (lines, fromStart, length, as) => {
        const first = 100;
        const after = first - 1 + fromStart;
        const through = after + length;
        const part = chunkOf(first, lines, as).between(after, through);
        const expected = lines
          .map((line, index) => ({ line, sequence: first + index }))
          .filter(({ sequence }) => sequence > after && sequence <= through);
        expect(part.count).toBe(expected.length);
        expect(part.bytes.toString("utf8")).toBe(expected.map(({ line }) => `${line}\n`).join(""));
        if (expected.length > 0)
          expect([part.first, part.last]).toEqual([expected[0]!.sequence, expected.at(-1)!.sequence]);
      }),
    );
  });

  it("is itself when nothing is cut off, so that its frames are shared", () => {
    const chunk = chunkOf(5, ["{}", "{}"], "utf8");
    expect(chunk.between(4, 6)).toBe(chunk);
    expect(chunk.between(0, 100)).toBe(chunk);
    expect(chunk.between(5, 6)).not.toBe(chunk);
  });
});
