import type { EventDraft, UniversalItem } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { HeldDrafts } from "./held-drafts.ts";

function draft<T extends EventDraft["type"]>(type: T, data: Extract<EventDraft, { type: T }>["data"]): EventDraft {
  return { type, data, source: "agent", synthetic: false } as EventDraft;
}

function message(item_id: string, text: string, kind: UniversalItem["kind"] = "message"): UniversalItem {
  return { item_id, kind, role: "assistant", status: "completed", content: [{ type: "text", text }] };
}

const started = (id: string, kind?: UniversalItem["kind"]) => draft("item.started", { item: message(id, "", kind) });
const delta = (id: string, text: string) => draft("item.delta", { item_id: id, delta: text });
const completed = (id: string, text: string, kind?: UniversalItem["kind"]) =>
  draft("item.completed", { item: message(id, text, kind) });
const asked = draft("permission.requested", { permission_id: "p", action: "Run", status: "requested" });

test("what needs a turn waits, states and errors do not", () => {
  const held = new HeldDrafts();
  const now = [started("s", "status"), completed("s", "", "status"), draft("error", { message: "no" })];
  expect(held.hold([started("a"), ...now, asked])).toEqual(now);
  expect(held.release()).toEqual([started("a"), asked]);
  expect(held.release()).toEqual([]);
});

test("of a completed item one delta is kept, of an open one all", () => {
  const held = new HeldDrafts();
  held.hold([started("a"), delta("a", "one "), started("b"), delta("a", "two"), completed("a", "one two")]);
  held.hold([delta("b", "x"), delta("b", "y")]);
  expect(held.release()).toEqual([
    started("a"),
    delta("a", "one two"),
    completed("a", "one two"),
    started("b"),
    delta("b", "x"),
    delta("b", "y"),
  ]);
});

test("a request that is withdrawn while it waits was never made", () => {
  const held = new HeldDrafts();
  held.hold([asked]);
  held.hold([draft("permission.resolved", { permission_id: "p", action: "Run", status: "denied" })]);
  expect(held.release()).toEqual([]);
});

test("with the process goes what it had not finished", () => {
  const held = new HeldDrafts();
  held.hold([started("a"), completed("a", ""), started("b"), delta("b", "half"), asked]);
  held.forgetUnfinished();
  expect(held.release()).toEqual([started("a"), completed("a", "")]);
});
