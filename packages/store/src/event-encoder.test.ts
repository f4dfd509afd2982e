import { type EventDraft, UniversalEvent } from "@sandbox-agent-ts/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textDraft } from "./__fixtures__/text-draft.ts";
import { EventChunk } from "./event-chunk.ts";
import { EventEncoder, encodeRaw, sequenceOf } from "./event-encoder.ts";
import { parseRawLines, rawSequenceOf } from "./raw-lines.ts";
import { withRaw } from "./with-raw.ts";

describe("an encoded event", () => {
  it("is one line of JSON with everything in it, and knows its number", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), fc.integer({ min: 1 }), (text, sessionId, sequence) => {
        const encoder = new EventEncoder({ sessionId, uid: "k3x9" }, null);
        const line = encoder.encode(textDraft(text), sequence);
        expect(line).not.toMatch(/[\r\n]/);
        expect(sequenceOf(line.slice(0, 256))).toBe(sequence);
        expect(UniversalEvent.parse(JSON.parse(line))).toEqual({
          event_id: `evt_k3x9_${sequence}`,
          sequence,
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          session_id: sessionId,
          native_session_id: null,
          source: "agent",
          synthetic: false,
          type: "item.delta",
          data: { item_id: "itm_1", delta: text },
        });
      }),
    );
  });

  it("carries the agent's own session id from when it is known", () => {
    const encoder = new EventEncoder({ sessionId: "s", uid: "u" }, null);
    encoder.setNativeSessionId('odd " id');
    expect(JSON.parse(encoder.encode(textDraft("x"), 1))).toMatchObject({ native_session_id: 'odd " id' });
  });

  it("is not found where none begins", () => {
    for (const other of ["", "{}", '{"event_id":"evt_u_1"', "\0\0\0", '{"sequence":3,"event_id":"evt_u_3"}']) {
      expect(sequenceOf(other)).toBeUndefined();
    }
  });
});

describe("a raw payload", () => {
  const roundTrip = (draft: EventDraft): string => {
    const line = encodeRaw(7, draft);
    expect(rawSequenceOf(line)).toBe(7);
    expect(line.slice(0, -1)).not.toMatch(/[\r\n]/);
    const [[sequence, raw]] = [...parseRawLines(line)] as [[number, string]];
    expect(sequence).toBe(7);
    return raw;
  };

  it("comes back as it was", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(roundTrip(textDraft("x", JSON.stringify(value)))).toBe(JSON.stringify(value));
      }),
    );
  });

  it.each(["\n", "\r", "\r\n"])("with %j as white space becomes one line", (space) => {
    expect(roundTrip(textDraft("x", `{${space}"a":1}${space}`))).toBe('{"a":1}');
  });

  it.each(['{"a":', "not json", "", '{"a":1} trailing', "two\nlines", "{oops}"])(
    "that is no JSON (%j) becomes a string",
    (raw) => {
      const unparsed: EventDraft = {
        type: "agent.unparsed",
        data: { error: "Unexpected token", location: "mock" },
        source: "agent",
        synthetic: false,
        raw,
      };
      expect(JSON.parse(roundTrip(unparsed))).toBe(raw);
    },
  );

  it.each(["[1]", "null", '"text"', "12"])("may be any JSON (%s)", (raw) => {
    expect(roundTrip(textDraft("x", raw))).toBe(raw);
  });

  it("is nothing where there is none", () => {
    expect(encodeRaw(1, textDraft("x"))).toBe("");
  });

  it("is put into the events that have one, in any encoding", () => {
    const encoder = new EventEncoder({ sessionId: "ß", uid: "u" }, null);
    const lines = [1, 2, 3].map((sequence) => `${encoder.encode(textDraft("é\u2028"), sequence)}\n`).join("");
    const chunks = [
      new EventChunk(1, 3, lines, "utf8"),
      new EventChunk(1, 3, Buffer.from(lines).toString("latin1"), "latin1"),
    ];
    for (const chunk of chunks) {
      const raw = Buffer.from('{"ü":1}').toString(chunk.encoding);
      const parsed = withRaw(chunk, new Map([[2, raw]]))
        .bytes.toString("utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
      const plain = lines
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
      expect(parsed).toEqual([plain[0], { ...plain[1], raw: { ü: 1 } }, plain[2]]);
    }
  });
});
