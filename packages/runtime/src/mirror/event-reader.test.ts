/** Feared: an event that its schema refuses gets into a log by the short way, or is another one there. */

import type { EventLines } from "@sandbox-agent-ts/sdk";
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

/** As a daemon sends them: with the payloads in the events, or beside them. */
function linesFrom(first: number, events: readonly string[], isBeside = false): EventLines {
  const lines: string[] = [];
  const payloads: string[] = [];
  for (const [index, text] of events.entries()) {
    const at = isBeside ? text.indexOf(',"raw":') : -1;
    lines.push(`${at === -1 ? text : `${text.slice(0, at)}}`}\n`);
    if (at !== -1) payloads.push(`{"sequence":${first + index}${text.slice(at)}\n`);
  }
  return { first, count: events.length, lines: lines.join(""), payloads: payloads.join("") };
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
function written(reader: EventReader, events: EventLines): unknown {
  const read: LogEntry[] = [];
  try {
    reader.read(events, read);
  } catch (error) {
    if ((error as Error).name !== "UntrustedSandbox") throw error;
    return "refused";
  }
  expect(countOf(read)).toBe(1);
  const [entry] = read as [LogEntry];
  const { event, payload } = linesOf(entry, 7);
  // Both end a line of server-sent events.
  for (const kept of [event, payload]) expect(kept.slice(0, -1)).not.toMatch(/[\r\n]/);
  const [{ raw, time: _, ...told }] = [...eachOf(read)] as [LogEntry];
  return {
    event: JSON.parse(event),
    payload: payload && JSON.parse(payload),
    told,
    raw: raw === undefined ? undefined : JSON.parse(raw),
  };
}

/** Read behind another delta, and alone, which is always the long way. */
function readBothWays(before: string, text: string, isBeside = false): { short: unknown; long: unknown } {
  const reader = new EventReader("s");
  reader.read(linesFrom(1, [before], isBeside), []);
  const events = linesFrom(2, [text], isBeside);
  return { short: written(reader, events), long: written(new EventReader("s"), events) };
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
      const beside = readBothWays(line(1, before), line(2, next), true);
      const within = readBothWays(line(1, before), line(2, next));
      expect(within.long).not.toBe("refused");
      expect([within.short, beside.short, beside.long]).toEqual(Array(3).fill(within.long));
    }),
  );
});

test("whatever is done to its text, it is refused or taken alike", () => {
  const piece = fc.constantFrom(
    '"',
    "\\",
    "\n",
    "\r",
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
    fc.property(delta, fc.nat(), fc.nat(3), piece, fc.boolean(), (next, at, cut, put, isBeside) => {
      const text = line(2, next);
      const place = at % text.length;
      const changed = text.slice(0, place) + put + text.slice(place + cut);
      const { short, long } = readBothWays(line(1, { text: "a", raw: 1 }), changed, isBeside);
      expect(short).toEqual(long);
    }),
    { numRuns: 2_000 },
  );
});

test("deltas that come together are one entry, and in the log what they are alone", () => {
  fc.assert(
    fc.property(fc.array(delta, { minLength: 1, maxLength: 20 }), fc.boolean(), (deltas, isBeside) => {
      const events = deltas.map((one, index) => line(index + 1, one));
      const together: LogEntry[] = [];
      new EventReader("s").read(linesFrom(1, events, isBeside), together);
      const alone = events.flatMap((event, index) => {
        const read: LogEntry[] = [];
        new EventReader("s").read(linesFrom(index + 1, [event]), read);
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
  const events = texts.map((text, n) => line(n + 1, { text, raw: { step: 1 } }));
  new EventReader("s").read(linesFrom(1, events, true), entries);
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
  const events = [1, 2, 3].map((sequence) => line(sequence, { text: `${sequence}` }));
  expect(() => reader.read(linesFrom(1, [...events, "{}"]), entries)).toThrow("is not valid");
  expect(countOf(entries)).toBe(3);
  expect(reader.sequence).toBe(3);
});

test("an event under another number is refused", () => {
  const reader = new EventReader("s");
  const text = line(1, { text: "a" });
  expect(() => reader.read(linesFrom(2, [text]), [])).toThrow("The sandbox sent event 1 under the number 2.");
});

test("as many events are taken as are said to be there", () => {
  const one = linesFrom(1, [line(1, { text: "a" })]);
  for (const [wrong, reason] of [
    [{ ...one, count: 2 }, "fewer events than it said"],
    [{ ...one, lines: `${one.lines}${one.lines}` }, "more events than it said"],
    [{ ...one, lines: one.lines.slice(0, -1) }, "fewer events than it said"],
  ] as const)
    expect(() => new EventReader("s").read(wrong, [])).toThrow(reason);
});

test("a payload belongs to the event with its number, and what is none is passed over", () => {
  const events = [1, 2, 3, 4].map((sequence) => line(sequence, { text: `${sequence}`, raw: sequence }));
  const { payloads, ...lines } = linesFrom(1, events, true);
  const [first, second, , fourth] = payloads.split("\n");
  const damaged = `${first}\n\0\0\n{"sequence":1,"raw":7}\n${second}\n{"sequence":3,"raw"\n${fourth}\n`;
  const entries: LogEntry[] = [];
  new EventReader("s").read({ ...lines, payloads: damaged }, entries);
  expect([...eachOf(entries)].map(({ raw }) => raw)).toEqual(["1", "2", undefined, "4"]);
});

test("a payload that is no JSON is refused, also behind others that are", () => {
  for (const count of [1, 3]) {
    const events = Array.from({ length: count }, (_, index) => line(index + 1, { text: "a", raw: { t: "a" } }));
    const { payloads, ...lines } = linesFrom(1, events, true);
    const wrong = `${payloads.slice(0, -2)}}}\n`;
    expect(() => new EventReader("s").read({ ...lines, payloads: wrong }, [])).toThrow("is not JSON");
  }
});

test("a payload with other ends of lines in it is one line, also behind others like it", () => {
  const events = [1, 2, 3].map((sequence) => line(sequence, { text: `${sequence}` }));
  const payloads = [1, 2, 3].map((n) => `{"sequence":${n},"raw":{"t":\r"${n}"}}\n`).join("");
  const entries: LogEntry[] = [];
  new EventReader("s").read({ ...linesFrom(1, events), payloads }, entries);
  expect([...eachOf(entries)].map(({ raw }) => raw)).toEqual(['{"t":"1"}', '{"t":"2"}', '{"t":"3"}']);
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
