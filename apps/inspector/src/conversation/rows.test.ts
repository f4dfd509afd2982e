import {
  type EventPayload,
  emptyTranscript,
  foldEvents,
  type UniversalEvent,
  type UniversalItem,
} from "@sandbox-agent-ts/protocol";
import { streamFromChoices } from "@sandbox-agent-ts/protocol/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "./entry.ts";
import { type Row, rowsOf } from "./rows.ts";

const call = (id: string, parent_id: string | null = null): UniversalItem => ({
  item_id: id,
  parent_id,
  kind: "tool_call",
  status: "completed",
  content: [{ type: "tool_call", name: "Search", arguments: "{}", call_id: `call-${id}` }],
});

const result = (of: string, parent_id: string | null = null): UniversalItem => ({
  item_id: `${of}-result`,
  parent_id,
  kind: "tool_result",
  status: "completed",
  content: [{ type: "tool_result", call_id: `call-${of}`, output: "out" }],
});

const message = (id: string, text: string, parent_id: string | null = null): UniversalItem => ({
  item_id: id,
  parent_id,
  kind: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "text", text }],
});

const completed = (item: UniversalItem): EventPayload => ({ type: "item.completed", data: { item } });
const error = (text: string): EventPayload => ({ type: "error", data: { message: text } });
const started = (turn_id: string): EventPayload => ({ type: "turn.started", data: { phase: "started", turn_id } });
const failed = (turn_id: string, text: string): EventPayload => ({
  type: "turn.ended",
  data: { phase: "ended", turn_id, metadata: { reason: "error", message: text } },
});

function transcriptOf(items: readonly UniversalItem[]) {
  return transcriptOfEvents([started("t"), ...items.map(completed)]);
}

function transcriptOfEvents(rest: readonly EventPayload[]) {
  const payloads: EventPayload[] = [{ type: "session.started", data: {} }, ...rest];
  const envelope = { session_id: "s", native_session_id: null, source: "agent", synthetic: false } as const;
  const time = "2026-01-01T00:00:00.000Z";
  const events = payloads.map(
    (payload, at): UniversalEvent => ({ ...envelope, ...payload, event_id: `e${at}`, sequence: at + 1, time }),
  );
  return foldEvents(emptyTranscript, events);
}

test("results stand beside their calls, calls in groups, subagents inside their call", () => {
  const items = [
    call("a"),
    result("a"),
    call("b"),
    message("m1", "inside", "b"),
    call("c", "b"),
    result("c", "b"),
    result("b"),
    message("m2", "after"),
    result("lost"),
  ];
  expect(rowsOf(transcriptOf(items)).map(shape)).toEqual([
    "tools(a+a-result, b+b-result[message(m1) tools(c+c-result)])",
    "message(m2)",
    "tools(-+lost-result)",
    "turn",
  ]);
});

test("errors stand where they happened, between calls too, and not between a call and its result", () => {
  const rows = rowsOf(
    transcriptOfEvents([
      error("before"),
      started("t1"),
      completed(message("m1", "first")),
      error("one"),
      completed(call("a")),
      error("two"),
      completed(result("a")),
      completed(call("b")),
      completed(message("m2", "inside", "b")),
      error("three"),
      completed(message("m3", "inside too", "b")),
      completed(result("b")),
      failed("t1", "one"),
      error("between"),
      started("t2"),
      completed(message("m4", "last")),
      error("four"),
      failed("t2", "it died"),
      started("t3"),
      error("five"),
      completed(message("m5", "nearly")),
      failed("t3", "it died"),
      error("after"),
    ]),
  );
  expect(rows.map(shape)).toEqual([
    "error(before)",
    "message(m1)",
    "error(one)",
    "tools(a+a-result)",
    "error(two)",
    "tools(b+b-result[message(m2) message(m3)])",
    "error(three)",
    "turn",
    "error(between)",
    "message(m4)",
    "error(four)",
    "turn",
    "error(five)",
    "message(m5)",
    "turn",
    "error(after)",
  ]);
  expect(rows.flatMap((row) => (row.type === "turn" ? row.isExplained : []))).toEqual([true, true, false]);
});

test("a message that says nothing yet is no row", () => {
  expect(rowsOf(transcriptOf([message("m", "")])).map(shape)).toEqual(["turn"]);
});

test("whatever the stream: every item is shown once, and rows do not depend on how often they were made", () => {
  const anyStream = fc.array(fc.nat(), { maxLength: 200, size: "max" }).map(streamFromChoices);
  fc.assert(
    fc.property(anyStream, fc.array(fc.nat(), { maxLength: 5 }), (events, cuts) => {
      let transcript = emptyTranscript;
      let rows: readonly Row[] = [];
      for (const cut of [...cuts.map((cut) => cut % (events.length + 1)).toSorted((a, b) => a - b), events.length]) {
        transcript = foldEvents(transcript, events.slice(0, cut));
        rows = rowsOf(transcript, rows);
      }
      expect(rows).toEqual(rowsOf(foldEvents(emptyTranscript, events)));
      const shown = rows.flatMap(itemIds);
      expect(new Set(shown).size).toBe(shown.length);
      expect(rowsOf(transcript, rows)).toBe(rows);
    }),
  );
});

function shape(row: Row | Entry): string {
  if (row.type === "message") return `message(${row.key})`;
  if (row.type === "error") return `error(${row.error.message})`;
  if (row.type !== "tools") return row.type;
  const uses = row.uses.map(({ call: from, result: to, inside }) => {
    const nested = inside.length > 0 ? `[${inside.map(shape).join(" ")}]` : "";
    return `${from?.item_id ?? "-"}+${to?.item_id ?? "-"}${nested}`;
  });
  return `tools(${uses.join(", ")})`;
}

function itemIds(row: Row | Entry): string[] {
  if (row.type === "message") return [row.item.item_id];
  if (row.type === "status") return row.items.map(({ item_id }) => item_id);
  if (row.type !== "tools") return [];
  return row.uses.flatMap(({ call: from, result: to, inside }) => [
    ...(from ? [from.item_id] : []),
    ...(to ? [to.item_id] : []),
    ...inside.flatMap(itemIds),
  ]);
}
