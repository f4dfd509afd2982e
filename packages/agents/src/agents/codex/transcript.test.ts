import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseTranscript } from "./transcript.ts";

const rollout = readFileSync(new URL("./__fixtures__/recordings/rollout.jsonl", import.meta.url), "utf8");

test("a rollout of the real program becomes these items", () => {
  expect(parseTranscript(rollout, { itemPrefix: "r" })).toMatchSnapshot();
});

test("a line that was cut off, or is unknown, changes nothing", () => {
  const cut = `${rollout}{"timestamp":"2026-11-15T20:00:00.000Z","type":"event_msg","payl`;
  const unknown = '{"type":"hologram","payload":{"type":"x"}}\n{"type":"event_msg"}\n[]\n';
  expect(parseTranscript(unknown + cut)).toEqual(parseTranscript(rollout));
  expect(parseTranscript("")).toEqual([]);
});

test("an item nobody knows is left out", () => {
  const item = { type: "Hologram", id: "h" };
  const line = JSON.stringify({ type: "event_msg", payload: { type: "item_completed", item } });
  expect(parseTranscript(line)).toEqual([]);
});
