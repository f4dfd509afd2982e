import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import type { TranscriptFile } from "../../transcripts/transcript-dialect.ts";
import { playRecording, readRecording } from "./__fixtures__/recording.ts";
import { parseTranscript } from "./transcript.ts";

const folder = new URL("__fixtures__/transcripts/", import.meta.url);

/** The same run, once as it was streamed and once as it lies on disk. */
test.each(readdirSync(folder))("the transcript of %s has the items of its stream", (name) => {
  const { turns, state } = playRecording(readRecording(name));
  const streamed = turns.flatMap(({ drafts }) =>
    drafts.flatMap((draft) => (draft.type === "item.completed" ? [draft.data.item] : [])),
  );
  const abandoned = new Set([...state.calls.keys()]);
  const kept = parseTranscript(...readTranscript(name)).filter((item) => !abandoned.has(item.native_item_id ?? ""));
  expect(comparable(kept)).toEqual(comparable(streamed));
});

test("the user's own messages are among them, commands as they were typed", () => {
  const users = parseTranscript(...readTranscript("compaction")).filter(({ role }) => role === "user");
  expect(users.map(({ content }) => content)).toEqual([
    [{ type: "text", text: "tell" }],
    [{ type: "text", text: "/compact" }],
  ]);
});

test("a call without a result has failed, and a torn last line is left out", () => {
  const lines = readTranscript("text-and-commands")[0].split("\n");
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

function readTranscript(name: string): [string, { companions: TranscriptFile[] }] {
  const main = readFileSync(new URL(`${name}/main.jsonl`, folder), "utf8");
  const inner = new URL(`${name}/subagents/`, folder);
  const files = existsSync(inner) ? readdirSync(inner) : [];
  const companions = files.map((file) => ({
    path: `subagents/${file}`,
    text: readFileSync(new URL(file, inner), "utf8"),
  }));
  return [main, { companions }];
}
