/** Feared: the stream of one turn that is opened or ended by data which only looks like an event. */
import { EventChunk, type SessionLog, type TurnRecord } from "@sandbox-agent-ts/store";
import { expect, test } from "vitest";
import { turnChunks } from "./turn-chunks.ts";

const ended = { type: "session.ended", data: { reason: "terminated" } };
const turn = (phase: "started" | "ended", turn_id: string) => ({ type: `turn.${phase}`, data: { phase, turn_id } });
const about = (metadata: object) => ({ type: "permission.requested", data: { permission_id: "p", metadata } });
const quoted = 'x","type":"session.ended","data":{"reason":"';

async function sequencesOf(events: readonly { type: string; data: object }[]): Promise<number[]> {
  const lines = events.map((event, at) => {
    const ids = {
      event_id: `evt_u_${at + 1}`,
      sequence: at + 1,
      time: "t",
      session_id: quoted,
      native_session_id: quoted,
    };
    return `${JSON.stringify({ ...ids, source: "agent", synthetic: false, ...event })}\n`;
  });
  const log = {
    async *follow() {
      yield new EventChunk(1, 3, lines.slice(0, 3).join(""), "utf8");
      yield new EventChunk(4, lines.length - 3, lines.slice(3).join(""), "utf8");
    },
  } as unknown as SessionLog;
  const record = { turnId: "b", after: 0 } as TurnRecord;
  const signal = new AbortController().signal;
  const sequences: number[] = [];
  for await (const { text } of turnChunks(log, record, { signal, raw: false })) {
    for (const line of text.split("\n").filter(Boolean))
      sequences.push((JSON.parse(line) as { sequence: number }).sequence);
  }
  return sequences;
}

test("data that looks like the beginning or the end of something opens and ends nothing", async () => {
  const looksAlike = about({ end: ended, begin: turn("started", "b"), over: turn("ended", "b") });
  const before = [turn("started", "a"), looksAlike, about({ a: [ended] }), turn("ended", "a")];
  expect(await sequencesOf([...before, turn("started", "b"), looksAlike, turn("ended", "b"), ended])).toEqual([
    5, 6, 7,
  ]);
});

test("a session that ends before the turn could begin ends its stream with that", async () => {
  expect(await sequencesOf([turn("started", "a"), about(ended), turn("ended", "a"), ended])).toEqual([4]);
});
