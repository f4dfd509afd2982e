/** Feared: records that are cut anywhere become other events, or a server that lies about lengths fills the memory. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CorruptStream } from "./event-cursor.ts";
import { type EventLines, RecordParser } from "./event-records.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function recordOf({ first, count, lines, payloads }: EventLines): Uint8Array {
  const [events, beside] = [bytes(lines), bytes(payloads)];
  return Buffer.concat([bytes(`${first} ${count} ${events.length} ${beside.length}\n`), events, beside]);
}

/** The same event in parts, as very long ones come. */
function inParts({ first, lines }: EventLines, at: number): Uint8Array {
  const whole = bytes(lines);
  const cut = at % whole.length;
  return Buffer.concat([
    bytes(`${first} 0 ${cut} 0\n`),
    whole.subarray(0, cut),
    bytes(`${first} 1 ${whole.length - cut} 0\n`),
    whole.subarray(cut),
  ]);
}

test("records come out as they went in, wherever the bytes are cut", () => {
  const text = fc.string({ unit: "binary" }).map((each) => `${JSON.stringify(each)}\n`);
  const lines = fc.record({ texts: fc.array(text, { minLength: 1, maxLength: 3 }), payloads: text, part: fc.nat() });
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 9 }), (logs, cuts) => {
      let first = 1;
      const records: EventLines[] = [];
      const sent: Uint8Array[] = [bytes("\n")];
      for (const { texts, payloads, part } of logs) {
        const isLong = texts.length === 1 && part % 2 === 0;
        const record = { first, count: texts.length, lines: texts.join(""), payloads: isLong ? "" : payloads };
        records.push(record);
        sent.push(isLong ? inParts(record, part) : recordOf(record), bytes("\n".repeat(part % 3)));
        first += texts.length;
      }
      const all = Buffer.concat(sent);
      const places = [0, ...cuts.map((cut) => cut % (all.length + 1)).toSorted((a, b) => a - b), all.length];
      const parser = new RecordParser();
      const read = places.slice(1).flatMap((end, index) => parser.feed(all.subarray(places[index], end)));
      expect(read).toEqual(records);
    }),
  );
});

test.each(["x\n", "1 2 3\n", "1 2 3 4 5\n", "-1 1 1 1\n", "1 1 1e9 1\n", `${"1".repeat(70)}`, '{"type":"x"}\n'])(
  "what is no head of a record is refused: %j",
  (head) => {
    expect(() => new RecordParser().feed(bytes(head))).toThrow(CorruptStream);
  },
);

test("longer ones than may be are refused by their head, also in parts", () => {
  expect(() => new RecordParser(10).feed(bytes("1 1 6 5\n"))).toThrow("more than 10 bytes");
  const parser = new RecordParser(10);
  expect(parser.feed(bytes("1 0 6 0\nabcdef"))).toEqual([]);
  expect(() => parser.feed(bytes("1 0 5 0\n"))).toThrow("more than 10 bytes");
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const mib = 1024 * 1024;

test.each<[string, string, (piece: (text: string) => void) => void]>([
  ["bytes that come one by one", "1 1 999999 0\n", (feed) => feed("x")],
  ["parts of an event that have nothing in them", "", (feed) => feed("1 0 0 0\n")],
  ["parts of an event that have next to nothing in them", "", (feed) => feed("1 0 1 0\nx")],
])("%s take hardly more memory than they are long", (_, head, next) => {
  const parser = new RecordParser();
  parser.feed(bytes(head));
  const before = heldBytes();
  for (let n = 0; n < 200_000; n++) next((text) => parser.feed(bytes(text)));
  expect(heldBytes() - before).toBeLessThan(4 * mib);
  expect(parser.feed(new Uint8Array())).toEqual([]);
});
