import { expect, test } from "vitest";
import { afterRestart, convertLines, createFakeState } from "./fake-agent-convert.ts";

const turn = [
  '{"type":"ready","session":"s1"}',
  '{"type":"item_start","item":"m1"}',
  '{"type":"text_delta","item":"m1","text":"one "}',
  '{"type":"text_delta","item":"m1","text":"two"}',
  '{"type":"item_end","item":"m1"}',
  '{"type":"done","reason":"completed"}',
];

test("a turn becomes a message that is started, grows and is completed with all its text", () => {
  const { events, nativeSessionId, outcome } = convertLines(createFakeState("i", "/work"), turn);
  expect(events.map((event) => event.type)).toEqual(["item.started", "item.delta", "item.delta", "item.completed"]);
  expect(events.map((event) => event.raw)).toEqual(turn.slice(1, 5));
  expect(events.at(-1)?.data).toEqual({
    item: {
      item_id: "i1",
      native_item_id: "m1",
      kind: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "text", text: "one two" }],
    },
  });
  expect({ nativeSessionId, outcome }).toEqual({ nativeSessionId: "s1", outcome: { reason: "completed" } });
});

test("line by line gives what the whole batch gives, and no state is changed by its use", () => {
  const start = createFakeState("i", "/work");
  const whole = convertLines(start, turn);
  let state = start;
  const events = turn.flatMap((line) => {
    const converted = convertLines(state, [line]);
    state = converted.state;
    return converted.events;
  });
  expect(events).toEqual(whole.events);
  expect(state).toEqual(whole.state);
  expect(start).toEqual(createFakeState("i", "/work"));
});

test.each(["not JSON", "null", '{"type":"news"}', '{"type":"text_delta","item":"m9","text":"x"}'])(
  "the line %s is an unparsed event and harms nothing else",
  (line) => {
    const { events, outcome } = convertLines(createFakeState("i", "/work"), [
      ...turn.slice(0, 4),
      line,
      ...turn.slice(4),
    ]);
    expect(events.map((event) => event.type)).toEqual([
      "item.started",
      "item.delta",
      "item.delta",
      "agent.unparsed",
      "item.completed",
    ]);
    expect(events[3]?.raw).toBe(line);
    expect(outcome).toEqual({ reason: "completed" });
  },
);

test("ids go on after a restart, where the program counts from one again", () => {
  const ask = '{"type":"permission_ask","id":"p1","action":"run","command":"ls"}';
  const first = convertLines(createFakeState("i", "/work"), [...turn.slice(0, 3), ask]);
  const second = convertLines(afterRestart(first.state), [...turn.slice(0, 3), ask]);
  const ids = [first, second].map(({ events }) => [events[1], events[3]].map((event) => event?.data));
  expect(ids).toMatchObject([
    [{ item_id: "i1" }, { permission_id: "ip1", item_id: "i2", call_id: "ip1" }],
    [{ item_id: "i3" }, { permission_id: "ip2", item_id: "i4", call_id: "ip2" }],
  ]);
  expect([...second.state.permissions]).toMatchObject([["ip2", { nativeId: "p1" }]]);
});
