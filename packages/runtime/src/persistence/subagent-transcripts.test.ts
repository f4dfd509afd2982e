/** Feared: what a subagent said, lost in an application's storage or read back as if the agent had said it. */
import { type TranscriptDialect, transcriptDialects } from "@sandbox-agent-ts/agents/transcripts";
import type { UniversalEvent, UniversalItem } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { getArchitectureParser } from "../architectures/architecture-parser.ts";
import { entriesOfTranscript, transcriptsOf } from "./transcript-text.ts";

const time = "2026-01-01T00:00:00.000Z";
const item = (item_id: string, more: Partial<UniversalItem>): UniversalItem => ({
  item_id,
  kind: "message",
  role: "assistant",
  status: "completed",
  content: [],
  ...more,
});
const text = (said: string) => [{ type: "text" as const, text: said }];
const call = (call_id: string) => [{ type: "tool_call" as const, name: "task", call_id, arguments: "{}" }];
const result = (call_id: string) => [{ type: "tool_result" as const, call_id, output: "done" }];
const events = [
  item("i1", { role: "user", content: text("Ask somebody.") }),
  item("i3", { parent_id: "i2", role: "user", content: text("What is it?") }),
  item("i4", { parent_id: "i2", kind: "tool_call", content: call("inner.1") }),
  item("i5", { parent_id: "i4", content: text("Deeper.") }),
  item("i6", { parent_id: "i2", content: text("It is polite.") }),
  item("i2", { kind: "tool_call", content: call("call_1") }),
  item("i7", { kind: "tool_result", role: "tool", content: result("call_1") }),
  item("i8", { content: text("They said so.") }),
].map((each) => ({ type: "item.completed", time, data: { item: each } }) as UniversalEvent);

const agents = [...Object.keys(transcriptDialects as Record<string, TranscriptDialect>), "one-without-a-form"];

test.each(agents)("subagents of %s are kept apart and belong to their call again", (agent) => {
  const { main, subagents } = transcriptsOf({ sessionId: "s", agent, directory: "/d" }, events);
  expect(subagents.map(({ id }) => id)).toEqual(["call_1", "inner.1"]);
  expect(main).toContain("They said so.");
  expect(main).not.toContain("polite");
  const items = entriesOfTranscript(agent, main, 0, subagents).flatMap((entry) =>
    entry.type === "item.completed" ? [entry.data.item] : [],
  );
  const said = new Map(
    items.flatMap((each) => each.content.flatMap((part) => (part.type === "text" ? [[part.text, each]] : []))),
  );
  const started = (callId: string) =>
    items.find(({ content }) => content.some((part) => part.type === "tool_call" && part.call_id === callId))?.item_id;
  expect(said.get("It is polite.")?.parent_id).toBe(started("call_1"));
  expect(said.get("Deeper.")?.parent_id).toBe(started("inner.1"));
  expect(said.get("They said so.")?.parent_id ?? null).toBeNull();
  expect([started("call_1"), started("inner.1")]).toEqual([expect.any(String), expect.any(String)]);
  if (agent === "one-without-a-form") return;
  const { blocks, subagents: parsed } = getArchitectureParser(agent).parseTranscripts(main, subagents);
  expect(parsed.map(({ id }) => id)).toEqual(["call_1", "inner.1"]);
  expect(JSON.stringify(blocks)).not.toContain("polite");
});
