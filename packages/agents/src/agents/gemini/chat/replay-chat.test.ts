import { expect, test } from "vitest";
import { replayChat } from "./replay-chat.ts";

const said = (id: string, text: string) => ({ id, type: "user", content: [{ text }] });
const chat = (...records: object[]) => replayChat(records.map((record) => JSON.stringify(record)).join("\n"));
const head = { sessionId: "s", projectHash: "p", lastUpdated: "2026-01-01T00:00:00.000Z" };

test("a message with a known id takes the place of the earlier one", () => {
  const { messages } = chat(head, said("1", "a"), said("2", "b"), said("1", "c"));
  expect(messages).toEqual([said("1", "c"), said("2", "b")]);
});

test("a list of messages is all there is, and what comes behind it is added", () => {
  const { messages } = chat(head, said("1", "a"), { $set: { messages: [said("2", "b")] } }, said("3", "c"));
  expect(messages).toEqual([said("2", "b"), said("3", "c")]);
});

test("a step back forgets a message and all behind it, an unknown one forgets everything", () => {
  const begun = [head, said("1", "a"), said("2", "b"), said("3", "c")];
  expect(chat(...begun, { $rewindTo: "2" }).messages).toEqual([said("1", "a")]);
  expect(chat(...begun, { $rewindTo: "nobody" }).messages).toEqual([]);
});

test("the newest time and the session are told, torn and unknown lines are left out", () => {
  const time = "2026-02-02T00:00:00.000Z";
  const lines = [JSON.stringify(head), "[]", "null", JSON.stringify({ $set: { lastUpdated: time } }), '{"id":"x'];
  expect(replayChat(lines.join("\n"))).toEqual({ sessionId: "s", lastUpdated: time, messages: [] });
});
