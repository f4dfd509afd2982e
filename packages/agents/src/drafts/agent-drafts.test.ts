import { expect, test } from "vitest";
import { AgentDrafts } from "./agent-drafts.ts";

const delta = { type: "item.delta", data: { item_id: "i", delta: "x" } } as const;

function rawsOf(...lines: (string | undefined)[]): unknown[] {
  const all = new AgentDrafts();
  for (const line of lines) all.push(delta, line);
  expect(all.drafts[0]).toMatchObject({ ...delta, source: "agent", synthetic: false });
  return all.drafts.map(({ raw }) => raw);
}

test("each event has the line it came from", () => {
  expect(rawsOf("a", "a", undefined, "b")).toEqual(["a", "a", undefined, "b"]);
});

test("a long line is kept with the first of the events it became", () => {
  const [long, other] = ["a".repeat(20_000), "b".repeat(20_000)];
  expect(rawsOf(long, long, other, long)).toEqual([long, undefined, other, long]);
});
