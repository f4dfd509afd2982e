import { expect, test } from "vitest";
import type { OpencodeEvent } from "../dialect.ts";
import { readEvents } from "./read-events.ts";

async function read(...pieces: (string | Uint8Array)[]) {
  const batches: OpencodeEvent[][] = [];
  const leftOut: object[] = [];
  async function* bytes() {
    for (const piece of pieces) yield typeof piece === "string" ? Buffer.from(piece) : piece;
  }
  await readEvents(
    bytes(),
    (events) => batches.push([...events]),
    (about) => leftOut.push(about),
  );
  return { batches: batches.filter(({ length }) => length > 0), leftOut };
}

const frame = (type: string, properties: object = {}) =>
  `data: ${JSON.stringify({ payload: { type, properties } })}\n\n`;

test("events of one read come together, with the line they were", async () => {
  const { batches } = await read(frame("a", { sessionID: "s" }) + frame("b"), frame("c"));
  expect(batches.map((batch) => batch.map(({ type }) => type))).toEqual([["a", "b"], ["c"]]);
  expect(batches[0]?.[0]).toEqual({
    type: "a",
    properties: { sessionID: "s" },
    raw: '{"payload":{"type":"a","properties":{"sessionID":"s"}}}',
  });
});

test("a frame that is cut anywhere, also inside of a character, is whole in the end", async () => {
  const whole = Buffer.from(frame("a", { delta: "né 👩" }));
  for (let at = 1; at < whole.length; at += 1) {
    const { batches } = await read(whole.subarray(0, at), whole.subarray(at));
    expect(batches).toMatchObject([[{ properties: { delta: "né 👩" } }]]);
  }
});

test("the copies for other databases, comments and other lines are nothing", async () => {
  const copy = 'data: {"directory":"/d","payload":{"type":"sync","syncEvent":{}}}\n\n';
  expect(await read(copy, ": ping\n\n", "event: x\n", frame("a"))).toMatchObject({
    batches: [[{ type: "a" }]],
    leftOut: [],
  });
});

test("what cannot be read is left out and told", async () => {
  const { batches, leftOut } = await read("data: {nonsense\n\n", frame("a"));
  expect(batches).toHaveLength(1);
  expect(leftOut).toEqual([{ head: "{nonsense" }]);
});
