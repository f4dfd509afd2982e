import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { streamFromChoices } from "../testing/index.ts";
import { StreamWriter } from "../testing/stream-writer.ts";
import type { UniversalEvent } from "../universal-event.ts";
import type { UniversalItem } from "../universal-item.ts";
import { emptyTranscript, foldEvents, type Transcript } from "./transcript.ts";

const anyStream = fc.array(fc.nat(), { maxLength: 300, size: "max" }).map(streamFromChoices);
const anyCutStream = anyStream.chain((events) =>
  fc.tuple(fc.constant(events), fc.array(fc.nat({ max: events.length }), { maxLength: 10 })),
);

const assistant: UniversalItem = {
  item_id: "itm_1",
  kind: "message",
  role: "assistant",
  status: "in_progress",
  content: [],
};

describe("for every valid stream", () => {
  test("folding it in pieces, cut anywhere, gives what folding it whole gives", () => {
    fc.assert(
      fc.property(anyCutStream, ([events, cuts]) => {
        const inPieces = pieces(events, cuts).reduce(foldEvents, emptyTranscript);
        expect(inPieces).toEqual(foldEvents(emptyTranscript, events));
      }),
    );
  });

  test("a transcript that was folded on stays as it was", () => {
    fc.assert(
      fc.property(anyCutStream, ([events, cuts]) => {
        for (const piece of pieces(events, cuts).concat([events])) deepFreeze(piece);
        pieces(events, cuts).reduce(
          (transcript, piece) => foldEvents(deepFreeze(transcript), piece),
          deepFreeze(emptyTranscript),
        );
      }),
    );
  });

  test("items, turns and lists that nothing happened to keep their identity", () => {
    fc.assert(
      fc.property(anyCutStream, ([events, cuts]) => {
        let before = emptyTranscript;
        for (const piece of pieces(events, cuts)) {
          const after = foldEvents(before, piece);
          expectIdentity(before, after, piece);
          before = after;
        }
      }),
    );
  });

  test("a replay changes nothing, wherever it starts", () => {
    fc.assert(
      fc.property(anyStream, fc.nat(), (events, start) => {
        const transcript = foldEvents(emptyTranscript, events);
        expect(foldEvents(transcript, events.slice(start % events.length))).toBe(transcript);
      }),
    );
  });

  test("a transcript survives being kept as JSON", () => {
    fc.assert(
      fc.property(anyCutStream, ([events, [cut = 0]]) => {
        const kept = JSON.parse(JSON.stringify(foldEvents(emptyTranscript, events.slice(0, cut)))) as Transcript;
        expect(foldEvents(kept, events)).toEqual(foldEvents(emptyTranscript, events));
      }),
    );
  });
});

describe("an item that is being written", () => {
  test("shows the text so far, and then the completed item", () => {
    const stream = new StreamWriter("s");
    stream.write("item.started", { item: assistant });
    stream.write("item.delta", { item_id: "itm_1", delta: "Hel" });
    stream.write("item.delta", { item_id: "itm_1", delta: "lo" });
    const writing = foldEvents(emptyTranscript, stream.events);
    expect(writing.items).toEqual([{ ...assistant, content: [{ type: "text", text: "Hello" }] }]);

    const completed: UniversalItem = { ...assistant, status: "completed", content: [{ type: "text", text: "Hello." }] };
    stream.write("item.completed", { item: completed });
    const done = foldEvents(writing, stream.events);
    expect(done.items).toEqual([completed]);
    expect(done.writing).toEqual({});
  });

  test("keeps its other parts, and its reasoning is reasoning", () => {
    const stream = new StreamWriter("s");
    const image = { type: "image" as const, path: "a.png" };
    const thought = { type: "reasoning" as const, text: "", visibility: "public" as const };
    stream.write("item.started", { item: { ...assistant, content: [thought, image] } });
    stream.write("item.delta", { item_id: "itm_1", delta: "Hmm" });
    expect(foldEvents(emptyTranscript, stream.events).items[0]?.content).toEqual([{ ...thought, text: "Hmm" }, image]);
  });

  test("takes 100,000 deltas, one call each", () => {
    const stream = new StreamWriter("s");
    stream.write("item.started", { item: assistant });
    for (let n = 0; n < 100_000; n++) stream.write("item.delta", { item_id: "itm_1", delta: "0123456789" });
    let transcript = emptyTranscript;
    for (const event of stream.events) transcript = foldEvents(transcript, [event]);
    expect(transcript.items[0]?.content).toEqual([{ type: "text", text: "0123456789".repeat(100_000) }]);
  });

  test("a delta or completion of an item that was never started does no harm", () => {
    const stream = new StreamWriter("s");
    stream.write("item.delta", { item_id: "nobody", delta: "x" });
    stream.write("item.completed", { item: { ...assistant, status: "completed" } });
    expect(foldEvents(emptyTranscript, stream.events).items).toEqual([{ ...assistant, status: "completed" }]);
  });
});

test("turns, requests, usage and errors", () => {
  const stream = new StreamWriter("s");
  const permission = { permission_id: "p", action: "run", status: "requested" as const };
  stream.write("session.started", {});
  stream.write("turn.started", { phase: "started", turn_id: "t1" });
  stream.write("item.started", { item: assistant });
  stream.write("permission.requested", permission);
  stream.write("error", { message: "oh" });
  stream.write("agent.unparsed", { error: "what", location: "stdout" });
  const asking = foldEvents(emptyTranscript, stream.events);
  expect(asking).toMatchObject({ status: "waiting", permissions: [permission], unparsed: 1 });
  expect(asking.errors).toMatchObject([{ message: "oh", turnId: "t1", sequence: 5, itemIndex: 1 }]);
  expect(asking.turns).toMatchObject([{ turnId: "t1", status: "running", endedAt: null, itemIds: ["itm_1"] }]);

  const usage = { input_tokens: 1, output_tokens: 2 };
  const cost = { amount: 1, currency: "USD" };
  stream.write("permission.resolved", { ...permission, status: "denied", reply: "reject" });
  stream.write("turn.ended", {
    phase: "ended",
    turn_id: "t1",
    metadata: { reason: "error", message: "it died", usage, cost },
  });
  stream.write("turn.started", { phase: "started", turn_id: "t2" });
  stream.write("turn.ended", { phase: "ended", turn_id: "t2", metadata: { reason: "interrupted", usage } });
  const idle = foldEvents(asking, stream.events);
  expect(idle).toMatchObject({ status: "idle", permissions: [], usage: { input_tokens: 2, output_tokens: 4 } });
  const [started, , , , , , , ended] = stream.events.slice(1).map((event) => event.time);
  expect(idle.turns[0]).toMatchObject({ status: "error", message: "it died", usage, cost, startedAt: started });
  expect(idle.turns[0]?.endedAt).toBe(stream.events[7]?.time);
  expect(idle.turns[1]).toMatchObject({ status: "interrupted", itemIds: [], startedAt: ended });
});

function pieces(events: UniversalEvent[], cuts: number[]): UniversalEvent[][] {
  const edges = [0, ...cuts.toSorted((a, b) => a - b), events.length];
  return edges.slice(1).map((edge, index) => events.slice(edges[index], edge));
}

function touchedItems(events: UniversalEvent[]): Set<string> {
  return new Set(
    events.flatMap((event) => {
      if (event.type === "item.delta") return event.data.item_id;
      return event.type === "item.started" || event.type === "item.completed" ? event.data.item.item_id : [];
    }),
  );
}

function expectIdentity(before: Transcript, after: Transcript, events: UniversalEvent[]): void {
  const touched = touchedItems(events);
  before.items.forEach((item, index) => {
    if (!touched.has(item.item_id)) expect(after.items[index]).toBe(item);
  });
  before.turns.forEach((turn, index) => {
    if (turn.endedAt !== null) expect(after.turns[index]).toBe(turn);
  });
  const lists = { items: "item.", permissions: "permission.", questions: "question.", errors: "error" } as const;
  for (const [list, prefix] of Object.entries(lists) as [keyof typeof lists, string][]) {
    if (!events.some((event) => event.type.startsWith(prefix))) expect(after[list]).toBe(before[list]);
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
