import { expect, test } from "vitest";
import type { UniversalItem } from "../universal-item.ts";
import { appendText, itemTextLength, itemWithin, maxCollectedText, maxItemText, textWithin } from "./item-text.ts";
import { applyPayload, createSessionState, roomForText } from "./session-state.ts";

const message: UniversalItem = { item_id: "i", kind: "message", role: "assistant", status: "in_progress", content: [] };
const delta = (text: string) => ({ type: "item.delta", data: { item_id: "i", delta: text } }) as const;

test("a text is cut at whole characters", () => {
  expect(textWithin("abc", 3)).toBe("abc");
  expect(textWithin("abc", 2)).toBe("ab");
  expect(textWithin("a🦀b", 2)).toBe("a");
  expect(textWithin("abc", -1)).toBe("");
});

test("an item's parts are cut from the end", () => {
  const item: UniversalItem = {
    ...message,
    content: [
      { type: "reasoning", text: "why", visibility: "public" },
      { type: "json", json: {} },
      { type: "tool_call", name: "run", arguments: '{"a":1}', call_id: "c" },
      { type: "file_ref", path: "f", action: "patch", diff: "+x" },
    ],
  };
  expect(itemTextLength(item)).toBe(12);
  const cut = itemWithin(item, 5);
  expect(itemTextLength(cut)).toBe(5);
  expect(cut.content.map((part) => part.type)).toEqual(["reasoning", "json", "tool_call", "file_ref"]);
  expect(cut.content[2]).toMatchObject({ arguments: '{"' });
});

test("the state keeps no more text than is allowed, counts the rest, and has room again afterwards", () => {
  const state = createSessionState();
  applyPayload(state, { type: "item.started", data: { item: message } });
  const piece = "x".repeat(1024 * 1024);
  for (let n = 0; n < 20; n++) applyPayload(state, delta(piece));
  const open = state.openItems.i!;
  const kept = open.deltas.join("").length;
  expect(kept).toBeLessThanOrEqual(maxItemText);
  expect(kept + open.dropped).toBe(20 * piece.length);
  expect(roomForText(state)).toBe(0);
  applyPayload(state, { type: "item.completed", data: { item: { ...message, status: "completed" } } });
  expect(state).toEqual(createSessionState());
});

test("a million short deltas are held as a few long pieces", () => {
  const state = createSessionState();
  applyPayload(state, { type: "item.started", data: { item: message } });
  for (let n = 0; n < 1_000_000; n++) applyPayload(state, delta(String(n % 10)));
  const { deltas } = state.openItems.i!;
  expect(deltas.length).toBeLessThan(2048);
  expect(deltas.join("")).toBe("0123456789".repeat(100_000));
});

test("what an agent streamed is collected up to a bound", () => {
  const full = "x".repeat(maxCollectedText - 1);
  expect(appendText(full, "yz")).toBe(`${full}y`);
  expect(appendText(`${full}y`, "z")).toBe(`${full}y`);
});

test("parts with something else in the place of their text have none, and are left as they are", () => {
  const odd = [
    { type: "tool_call", name: "run", call_id: "c" },
    { type: "status", label: "s", detail: 7 },
    { type: "text", text: { a: 1 } },
  ];
  const item = { ...message, content: odd } as unknown as UniversalItem;
  expect(itemTextLength(item)).toBe(0);
  expect(itemWithin(item, 0).content).toEqual(odd);
});
