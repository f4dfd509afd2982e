import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { closingDrafts, userMessage } from "../../contract/daemon-drafts.ts";
import { HarnessLog } from "../../contract/harness-log.ts";
import { expectSameBlocks } from "../../transcripts/__fixtures__/expect-same-blocks.ts";
import type { TranscriptFile } from "../../transcripts/transcript-dialect.ts";
import { playRecording, readRecording } from "./__fixtures__/recording.ts";
import { parseTranscript, readTranscript } from "./transcript.ts";

const folder = new URL("__fixtures__/transcripts/", import.meta.url);

/** The same run, once as it was streamed and once as it lies on disk. */
test.each(readdirSync(folder))("the transcript of %s has the items of its stream", (name) => {
  const { turns, state } = playRecording(readRecording(name));
  const streamed = turns.flatMap(({ drafts }) =>
    drafts.flatMap((draft) => (draft.type === "item.completed" ? [draft.data.item] : [])),
  );
  const abandoned = new Set([...state.calls.keys()]);
  const kept = parseTranscript(...readTranscriptFiles(name)).filter(
    (item) => !abandoned.has(item.native_item_id ?? ""),
  );
  expect(comparable(kept)).toEqual(comparable(streamed));
});

test.each(readdirSync(folder))("the transcript of %s has the blocks of its stream, and times", (name) => {
  const told = readTranscript(...readTranscriptFiles(name));
  const said = parseTranscript(...readTranscriptFiles(name)).filter(({ role }) => role === "user");
  const log = new HarnessLog("s");
  for (const { drafts } of playRecording(readRecording(name)).turns) {
    const [message] = said.shift()?.content ?? [];
    if (message?.type === "text") log.append(userMessage(`user-${log.events.length}`, message.text));
    log.append(drafts);
    log.append(closingDrafts(log.state));
  }
  expectSameBlocks(log.events, told);
  expect(told.filter(({ data, time }) => time === null && data.item.status !== "failed")).toEqual([]);
});

test("without the files about them, subagents are found by what the results of their calls say", () => {
  const [main, { companions }] = readTranscriptFiles("background-subagent");
  const known = parseTranscript(main, { companions });
  const told = companions.filter(({ path }) => !path.endsWith(".meta.json"));
  expect(told).toHaveLength(1);
  expect(parseTranscript(main, { companions: told })).toEqual(known);
  expect(known.filter(({ parent_id }) => parent_id).length).toBeGreaterThan(0);
});

test("the user's own messages are among them, commands as they were typed", () => {
  const users = parseTranscript(...readTranscriptFiles("compaction")).filter(({ role }) => role === "user");
  expect(users.map(({ content }) => content)).toEqual([
    [{ type: "text", text: "tell" }],
    [{ type: "text", text: "/compact" }],
  ]);
});

test("a call without a result has failed, and a torn last line is left out", () => {
  const lines = readTranscriptFiles("text-and-commands")[0].split("\n");
  const call = lines.findIndex((line) => line.includes('"type":"tool_use"'));
  const torn = `${lines.slice(0, call + 1).join("\n")}\n${(lines[call + 1] as string).slice(0, 40)}`;
  expect(parseTranscript(torn).at(-1)).toMatchObject({ kind: "tool_call", status: "failed" });
});

/** Told by both: not the user's words, which the daemon writes, and not what only a running program says. */
function comparable(items: readonly UniversalItem[]): object[] {
  const nativeIds = new Map(items.map((item) => [item.item_id, item.native_item_id]));
  return items
    .filter(({ kind, role }) => kind !== "status" && role !== "user")
    .filter(({ kind, status }) => kind !== "message" || status === "completed")
    .map(({ item_id: _, parent_id, content, ...item }) => ({
      ...item,
      parent: parent_id ? nativeIds.get(parent_id) : undefined,
      content: content.map((part) =>
        part.type === "tool_call" ? { ...part, arguments: asWritten(part.arguments) } : part,
      ),
    }))
    .sort((a, b) => key(a).localeCompare(key(b)));
}

/** Claude Code adds its defaults to the input it keeps. */
function asWritten(text: string): object {
  const { replace_all: _, ...input } = JSON.parse(text) as Record<string, unknown>;
  return input;
}

function key(item: object): string {
  return JSON.stringify(item);
}

function readTranscriptFiles(name: string): [string, { companions: TranscriptFile[] }] {
  const main = readFileSync(new URL(`${name}/main.jsonl`, folder), "utf8");
  const inner = new URL(`${name}/subagents/`, folder);
  const files = existsSync(inner) ? readdirSync(inner) : [];
  const companions = files.map((file) => ({
    path: `subagents/${file}`,
    text: readFileSync(new URL(file, inner), "utf8"),
  }));
  return [main, { companions }];
}
