import { expect, test } from "vitest";
import type { UniversalItem } from "../universal-item.ts";
import { deltaPart } from "./streamed-text.ts";

const message: UniversalItem = { item_id: "i", kind: "message", role: "assistant", status: "in_progress", content: [] };
const call = { type: "tool_call", name: "Bash", arguments: "", call_id: "c" } as const;
const reasoning = { type: "reasoning", text: "", visibility: "public" } as const;

test.each<[string, Partial<UniversalItem>, string | undefined]>([
  ["an answer", {}, "text"],
  ["an answer that began", { content: [{ type: "text", text: "H" }] }, "text"],
  ["reasoning", { content: [reasoning] }, "reasoning"],
  ["a tool call", { kind: "tool_call", content: [call] }, "arguments"],
  ["a tool call of a subagent", { kind: "tool_call", parent_id: "p", content: [call] }, "arguments"],
  ["a tool result", { kind: "tool_result", role: "tool" }, "output"],
  ["output of a running command", { kind: "status", content: [{ type: "text", text: "" }] }, "output"],
  ["the prose of a subagent", { parent_id: "p", content: [reasoning] }, "output"],
  ["the user's own message", { role: "user" }, undefined],
])("deltas of %s", (_name, changes, part) => {
  expect(deltaPart({ ...message, ...changes })).toBe(part);
});
