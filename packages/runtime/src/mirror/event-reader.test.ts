/** Feared: an event that its schema refuses gets into a log by the short way, or is another one there. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { countOf, EntryEncoder, eachOf, type LogEntry } from "./encode-event.ts";
import { EventReader } from "./event-reader.ts";
import { TextPieces } from "./text-pieces.ts";

const encoder = new EntryEncoder({ uid: "k3x9", sessionId: "s" });

interface Delta {
  readonly text: string;
  readonly raw?: unknown;
  readonly itemId?: string;
  readonly native?: string | null;
  readonly time?: string;
}

/** As a daemon writes it. */
function line(sequence: number, { text, raw, itemId = "itm_1", native = null, time = "10:00:00.000" }: Delta): string {
  return JSON.stringify({
    event_id: `evt_u_${sequence}`,
    sequence,
    time: `2026-01-01T${time}Z`,
    session_id: "s",
    native_session_id: native,
    source: "agent",
    synthetic: false,
    type: "item.delta",
    data: { item_id: itemId, delta: text },
    ...(raw === undefined ? {} : { raw }),
  });
}

function linesOf(entry: LogEntry, first: number): { event: string; payload: string } {
  const [lines, payloads] = [new TextPieces(), new TextPieces()];
  encoder.encode(entry, first, lines, payloads);
  const [event, payload] = [lines, payloads].map((pieces) =>
    pieces
      .end()
      .map(({ text }) => text)
      .join(""),
  );
  return { event: event!, payload: payload! };
}

/** What gets into the log, or that it was refused. */
function written(reader: EventReader, sequence: number, text: string): unknown {
  const read: LogEntry[] = [];
  try {
    reader.read([{ sequence, text }], read);
  } catch (error) {
    if ((error as Error).name !== "UntrustedSandbox") throw error;
    return "refused";
  }
  expect(countOf(read)).toBe(1);
  const [entry] = read as [LogEntry];
  const { event, payload } = linesOf(entry, 7);
  for (const kept of [event, payload]) expect(kept.slice(0, -1)).not.toContain("\n");
  const [{ raw, time: _, ...told }] = [...eachOf(read)] as [LogEntry];
  return {
    event: JSON.parse(event),
    payload: payload && JSON.parse(payload),
    told,
    raw: raw === undefined ? undefined : JSON.parse(raw),
  };
}

/** Read behind another delta, and alone, which is always the long way. */
function readBothWays(before: string, text: string): { short: unknown; long: unknown } {
  const reader = new EventReader("s");
  reader.read([{ sequence: 1, text: before }], []);
  return { short: written(reader, 2, text), long: written(new EventReader("s"), 2, text) };
}

const delta = fc.record(
  {
    text: fc.string({ unit: "binary" }),
    raw: fc.jsonValue(),
    itemId: fc.constantFrom("itm_1", 'odd "id"'),
    native: fc.constantFrom(null, "n-1"),
    time: fc.constantFrom("10:00:00.000", "10:00:00.001"),
  },
  { requiredKeys: ["text"] },
);

test("a delta is the same whichever way it is read", () => {
  fc.assert(
    fc.property(delta, delta, (before, next) => {
      const { short, long } = readBothWays(line(1, before), line(2, next));
      expect(long).not.toBe("refused");
      expect(short).toEqual(long);
    }),
  );
});

test("whatever is done to its text, it is refused or taken alike", () => {
  const piece = fc.constantFrom(
    '"',
    "\\",
    "\n",
    "{",
    "}",
    ",",
    ":",
    "1",
    "\0",
    '"raw":',
    '"sequence":3,',
    "null",
    "\\u00",
  );
  fc.assert(
    fc.property(delta, fc.nat(), fc.nat(3), piece, (next, at, cut, put) => {
      const text = line(2, next);
      const place = at % text.length;
      const changed = text.slice(0, place) + put + text.slice(place + cut);
      const { short, long } = readBothWays(line(1, { text: "a" }), changed);
      expect(short).toEqual(long);
    }),
    { numRuns: 1_000 },
  );
});

test("deltas that come together are one entry, and in the log what they are alone", () => {
  fc.assert(
    fc.property(fc.array(delta, { minLength: 1, maxLength: 20 }), (deltas) => {
      const events = deltas.map((one, index) => ({ sequence: index + 1, text: line(index + 1, one) }));
      const together: LogEntry[] = [];
      new EventReader("s").read(events, together);
      const alone = events.flatMap((event) => {
        const read: LogEntry[] = [];
        new EventReader("s").read([event], read);
        return read;
      });
      const inLog = (entries: readonly LogEntry[]) => {
        let next = 7;
        const events: unknown[] = [];
        const payloads: unknown[] = [];
        for (const entry of entries) {
          const { event, payload } = linesOf(entry, next);
          events.push(...parsedLines(event));
          payloads.push(...parsedLines(payload));
          next += countOf([entry]);
        }
        return { events, payloads };
      };
      expect(inLog(together)).toEqual(inLog(alone));
      expect(textOf(together)).toBe(deltas.map(({ text }) => text).join(""));
    }),
  );
});

test("a delta that follows upon another is not made anew", () => {
  const entries: LogEntry[] = [];
  const texts = ["a", 'é "quoted" \\', "plain"];
  const events = texts.map((text, n) => ({ sequence: n + 1, text: line(n + 1, { text, raw: { step: 1 } }) }));
  new EventReader("s").read(events, entries);
  expect(entries).toHaveLength(2);
  expect(entries[1]).toMatchObject({
    data: { delta: 'é "quoted" \\plain' },
  });
  const { run } = entries[1]!;
  expect([0, 1].map((n) => [run?.deltaAt(n), run?.payloadAt(n)])).toEqual([
    ['é "quoted" \\', '{"step":1}'],
    ["plain", '{"step":1}'],
  ]);
});

test("what came before an event that is refused is there", () => {
  const entries: LogEntry[] = [];
  const reader = new EventReader("s");
  const events = [1, 2, 3].map((sequence) => ({ sequence, text: line(sequence, { text: `${sequence}` }) }));
  expect(() => reader.read([...events, { sequence: 4, text: "{}" }], entries)).toThrow("is not valid");
  expect(countOf(entries)).toBe(3);
  expect(reader.sequence).toBe(3);
});

test("an event under another number is refused", () => {
  const reader = new EventReader("s");
  const text = line(1, { text: "a" });
  expect(() => reader.read([{ sequence: 2, text }], [])).toThrow("The sandbox sent event 1 under the number 2.");
});

function parsedLines(lines: string): unknown[] {
  return lines
    .split("\n")
    .filter((one) => one !== "")
    .map((one) => JSON.parse(one));
}

function textOf(entries: readonly LogEntry[]): string {
  return entries.map(({ data }) => ("delta" in data ? data.delta : "")).join("");
}
