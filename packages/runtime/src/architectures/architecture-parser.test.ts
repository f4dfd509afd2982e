/** Feared: a stored transcript that cannot be shown without a sandbox, or whose blocks are others with each look at it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type TranscriptDialect, transcriptDialects } from "@sandbox-agent-ts/agents/transcripts";
import type { UniversalEvent, UniversalItem } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { getArchitectureParser } from "./architecture-parser.ts";

const dialects = Object.entries(transcriptDialects as Record<string, TranscriptDialect>);
const agents = new URL("../../../agents/src/agents/", import.meta.url).pathname;

const item = (item_id: string, more: Partial<UniversalItem>): UniversalItem => ({
  item_id,
  kind: "message",
  role: "assistant",
  status: "completed",
  content: [],
  ...more,
});
const conversation = [
  item("i1", { role: "user", content: [{ type: "text", text: "Count." }] }),
  item("i2", { content: [{ type: "text", text: "I count." }] }),
  item("i3", { role: "user", content: [{ type: "text", text: "And?" }] }),
  item("i4", { content: [{ type: "text", text: "Three." }] }),
].map((item) => ({ type: "item.completed", data: { item } }) as UniversalEvent);

describe.each(dialects)("transcripts of %s", (id, { writeTranscript }) => {
  let uuids = 0;
  const nextUuid = () => `00000000-0000-4000-8000-${String(++uuids).padStart(12, "0")}`;
  const about = { nativeSessionId: nextUuid(), directory: "/d", time: "2026-01-01T00:00:00.000Z", nextUuid };
  const { text } = writeTranscript!(conversation, about);

  test("are blocks, the same with each look at them", () => {
    const parser = getArchitectureParser(id);
    expect(parser.type).toBe(id);
    const { blocks, subagents } = parser.parseTranscripts(text, []);
    expect(blocks).toMatchObject([
      { type: "user_message", text: "Count.", conversationId: "main", id: "user-1:message" },
      { type: "assistant_text", text: "I count." },
      { type: "user_message", text: "And?", id: "user-2:message" },
      { type: "assistant_text", text: "Three." },
    ]);
    for (const { timestamp } of blocks) expect(Date.parse(timestamp ?? "")).not.toBeNaN();
    expect(subagents).toEqual([]);
    expect(getArchitectureParser(id).parseTranscripts(text)).toEqual({ blocks, subagents });
  });

  test("are also those of what the agent is driven by", () => {
    for (const name of [`${id}-sdk`, `${id}-agent-sdk`, `${id}-cli`, `${id.toUpperCase()} SDK`]) {
      expect(getArchitectureParser(name).type).toBe(id);
    }
  });

  test("that are torn or none at all are no blocks", () => {
    const { parseTranscripts } = getArchitectureParser(id);
    for (const torn of ["", "{", "null", "[]"]) {
      expect(parseTranscripts(torn, [{ id: "x", transcript: "{" }])).toEqual({ blocks: [], subagents: [] });
    }
  });
});

test("of an agent without transcripts it is said whose can be read", () => {
  const known = dialects.map(([id]) => id).join(", ");
  expect(() => getArchitectureParser("nobody-sdk")).toThrow(
    `No transcripts of "nobody-sdk" can be read, only those of ${known}.`,
  );
});

const recorded = readdirSync(agents)
  .map((agent) => join(agents, agent, "__fixtures__/transcripts"))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((folder) => existsSync(join(folder, "subagents")));

test.each(recorded)("what the subagents of %s did are conversations of their own", (folder) => {
  const [id = ""] = folder.slice(agents.length).split("/");
  const files = readdirSync(join(folder, "subagents")).filter((name) => name.endsWith(".jsonl"));
  const given = files.map((name) => ({
    id: basename(name, ".jsonl"),
    transcript: readFileSync(join(folder, "subagents", name), "utf8"),
  }));
  expect(existsSync(join(folder, "main.jsonl"))).toBe(true);
  const main = readFileSync(join(folder, "main.jsonl"), "utf8");
  const { blocks, subagents } = getArchitectureParser(id).parseTranscripts(main, given);
  expect(subagents).toHaveLength(given.length);
  for (const subagent of subagents) {
    expect(subagent.blocks.length).toBeGreaterThan(0);
    for (const block of subagent.blocks) expect(block.conversationId).toBe(subagent.id);
    expect(blocks.filter((block) => "subagentId" in block && block.subagentId === subagent.id)).toHaveLength(1);
  }
  for (const block of blocks) expect(block.conversationId).toBe("main");
});

test("there are recordings with subagents", () => {
  expect(recorded.length).toBeGreaterThan(0);
});
