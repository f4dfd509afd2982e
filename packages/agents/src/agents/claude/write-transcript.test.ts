import type { UniversalEvent, UniversalItem } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { parseTranscript } from "./transcript.ts";
import { writeTranscript } from "./write-transcript.ts";

const nativeSessionId = "7f9a2c1e-0000-4000-8000-000000000000";

function write(items: readonly UniversalItem[]) {
  const events = items.map((item) => ({ type: "item.completed", data: { item } }) as UniversalEvent);
  let count = 0;
  return writeTranscript(events, {
    nativeSessionId,
    directory: "/home/user/my project",
    time: "2026-01-01T00:00:00.000Z",
    nextUuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`,
  });
}

type Shape = Pick<UniversalItem, "kind" | "content"> & Partial<UniversalItem>;
const item = (shape: Shape): UniversalItem => ({ item_id: "i", role: "assistant", status: "completed", ...shape });
const said = (text: string, role: "user" | "assistant"): UniversalItem =>
  item({ kind: "message", role, content: [{ type: "text", text }] });
const call = (call_id: string, name: string, input: string): UniversalItem =>
  item({ kind: "tool_call", content: [{ type: "tool_call", call_id, name, arguments: input }] });
const result = (call_id: string, output: string, status: "completed" | "failed" = "completed"): UniversalItem =>
  item({ kind: "tool_result", role: "tool", status, content: [{ type: "tool_result", call_id, output }] });

function plain(items: readonly UniversalItem[]): object[] {
  return items.map(({ kind, role, status, content }) => ({ kind, role, status, content }));
}

test("what is written is read again as it was", () => {
  const items = [
    said("Count the files.", "user"),
    said("I look.", "assistant"),
    call("c1", "Bash", '{"command":"ls"}'),
    result("c1", "a b"),
    said("Two.", "assistant"),
  ];
  const read = parseTranscript(write(items).text);
  const told = plain(read).map((each) => JSON.parse(JSON.stringify(each)));
  const exit = { type: "json", json: { command: "ls", exit_code: 0 } };
  expect(told).toEqual(
    plain(items).map((each, index) => (index === 3 ? { ...each, content: [...items[3]!.content, exit] } : each)),
  );
});

test("it lies where Claude Code looks for it, as one chain", () => {
  const { path, text } = write([said("hello", "user"), said("hi", "assistant")]);
  expect(path).toBe(`projects/-home-user-my-project/${nativeSessionId}.jsonl`);
  const entries = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { uuid: string; parentUuid: string | null });
  expect(entries.map(({ parentUuid }) => parentUuid)).toEqual([null, entries[0]?.uuid]);
});

test("every call has its result right after it, also calls of other agents and those that were interrupted", () => {
  const items = [
    said("go", "user"),
    call("call/1", "shell exec", "not JSON"),
    call("call/2", "apply_patch", '"text"'),
    result("call/2", "done"),
  ];
  const messages = write(items)
    .text.trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { message: { content: unknown } }).message.content);
  expect(messages).toMatchObject([
    [{ type: "text" }],
    [{ type: "tool_use", id: "call_1", name: "shell_exec", input: { input: "not JSON" } }],
    [{ type: "tool_result", tool_use_id: "call_1", is_error: true }],
    [{ type: "tool_use", id: "call_2", input: { input: "text" } }],
    [{ type: "tool_result", tool_use_id: "call_2", content: "done", is_error: false }],
  ]);
});

test("reasoning, states and what subagents did are not told", () => {
  const items = [
    said("go", "user"),
    item({ kind: "message", content: [{ type: "reasoning", text: "hm", visibility: "public" }] }),
    item({ kind: "status", role: "system", content: [{ type: "status", label: "Todos" }] }),
    item({ kind: "message", parent_id: "p", content: [{ type: "text", text: "inner" }] }),
  ];
  expect(plain(parseTranscript(write(items).text))).toEqual(plain(items.slice(0, 1)));
});
