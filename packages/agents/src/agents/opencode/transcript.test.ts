import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { beginningState, readFixture, readRecording } from "./__fixtures__/recordings.ts";
import { convertEvents } from "./convert.ts";
import { parseTranscript } from "./transcript.ts";

const exported = readFixture("tools.export.json");

test("an export has the items that the stream told, and what the user said", () => {
  const [said, ...items] = parseTranscript(exported, { itemPrefix: "i" });
  expect(said).toMatchObject({ kind: "message", role: "user", content: [{ type: "text", text: "Use all tools." }] });
  const { drafts } = convertEvents(beginningState(), readRecording("tools"));
  const completed = drafts.flatMap((draft) => (draft.type === "item.completed" ? [draft.data.item] : []));
  const streamed = completed.filter(({ kind, role }) => !(kind === "status" && role === "tool"));
  expect(sorted(items)).toEqual(sorted(streamed));
  expect(items.map(({ kind }) => kind)).toContain("status");
});

test("the items of a subagent stand under the call that started it", () => {
  const part = (more: object) => ({ sessionID: "main", messageID: "m1", ...more });
  const state = { status: "completed", input: {}, output: "done", metadata: { sessionId: "sub" } };
  const main = {
    info: { id: "main", directory: "/workspace" },
    messages: [
      {
        info: { id: "m1", role: "assistant", sessionID: "main" },
        parts: [part({ id: "p1", type: "tool", tool: "task", callID: "c", state })],
      },
    ],
  };
  const sub = {
    info: { id: "sub" },
    messages: [
      {
        info: { id: "m2", role: "user", sessionID: "sub" },
        parts: [{ type: "text", text: "Count.", messageID: "m2", sessionID: "sub" }],
      },
      {
        info: { id: "m3", role: "assistant", sessionID: "sub" },
        parts: [{ id: "p2", type: "text", text: "Three.", messageID: "m3", sessionID: "sub" }],
      },
    ],
  };
  const companions = [{ path: "sub.json", text: JSON.stringify(sub) }];
  const items = parseTranscript(JSON.stringify(main), { companions });
  const task = items.find(({ kind }) => kind === "tool_call");
  expect(items.filter(({ parent_id }) => parent_id === task?.item_id)).toMatchObject([
    { content: [{ text: "Three." }] },
  ]);
  expect(parseTranscript(JSON.stringify(main))).toHaveLength(2);
});

test("what the user attached is there as it was attached, without words of ours or of OpenCode", () => {
  const parts = [
    { type: "text", text: "Look.\n\nAttached files:\n- /w/a.bin" },
    { type: "text", synthetic: true, text: 'Called the Read tool with the following input: {"filePath":"/w/i ü.png"}' },
    { type: "file", mime: "image/png", filename: "picture", url: "data:image/png;base64,AAAA" },
    { type: "text", synthetic: true, text: 'Called the Read tool with the following input: {"filePath":"/w/t 1.txt"}' },
    { type: "text", synthetic: true, text: "1: the text" },
    { type: "file", mime: "text/plain", filename: "t", url: "file:///w/t%201.txt" },
  ];
  const messages = [{ info: { id: "m", role: "user" }, parts }];
  const [item] = parseTranscript(JSON.stringify({ info: { id: "s" }, messages }));
  expect(item?.content).toEqual([
    { type: "text", text: "Look." },
    { type: "file_ref", path: "/w/a.bin", action: "read" },
    { type: "image", path: "/w/i ü.png", mime: "image/png" },
    { type: "file_ref", path: "/w/t 1.txt", action: "read" },
  ]);
});

test("what subagents did at the same time stands as it was told, each under its call", () => {
  const tool = (id: string, [start, end]: [number, number]) => {
    const metadata = { sessionId: `ses_${id}` };
    const state = { status: "completed", input: {}, output: "done", metadata, time: { start, end } };
    return { id: `p-${id}`, type: "tool", tool: "task", callID: id, messageID: "m", sessionID: "main", state };
  };
  const sub = (id: string, end: number) => {
    const said = { id: `t-${id}`, type: "text", text: id, messageID: `m-${id}`, sessionID: `ses_${id}`, time: { end } };
    const info = { id: `m-${id}`, role: "assistant", sessionID: `ses_${id}`, time: { created: end - 1 } };
    return { path: id, text: JSON.stringify({ info: { id: `ses_${id}` }, messages: [{ info, parts: [said] }] }) };
  };
  const info = { id: "m", role: "assistant", sessionID: "main", time: { created: 1 } };
  const main = { info: { id: "main" }, messages: [{ info, parts: [tool("slow", [2, 90]), tool("fast", [3, 20])] }] };
  const items = parseTranscript(JSON.stringify(main), { companions: [sub("slow", 80), sub("fast", 10)] });
  const nameOf = ({ content: [part] }: UniversalItem) =>
    part?.type === "tool_call" || part?.type === "tool_result" ? part.call_id : part?.type === "text" && part.text;
  expect(items.map((item) => [item.kind, nameOf(item)])).toEqual([
    ["message", "fast"],
    ["tool_call", "fast"],
    ["tool_result", "fast"],
    ["message", "slow"],
    ["tool_call", "slow"],
    ["tool_result", "slow"],
  ]);
  const idOf = (name: string) => items.find((item) => item.kind === "tool_call" && nameOf(item) === name)?.item_id;
  expect([items[0]?.parent_id, items[3]?.parent_id]).toEqual([idOf("fast"), idOf("slow")]);
});

test("what was running when the program was killed did not come to an end", () => {
  const parts = [
    { id: "p1", type: "text", text: "It was a dark", messageID: "m" },
    {
      id: "p2",
      type: "tool",
      tool: "bash",
      callID: "c",
      messageID: "m",
      state: { status: "running", input: { command: "sleep 9" } },
    },
    { id: "p3", type: "tool", tool: "bash", callID: "d", messageID: "m", state: { status: "pending" } },
  ];
  const items = parseTranscript(JSON.stringify({ info: { id: "s" }, messages: [{ info: { id: "m" }, parts }] }));
  expect(items.map(({ kind, status }) => [kind, status])).toEqual([
    ["message", "completed"],
    ["tool_call", "failed"],
    ["tool_result", "failed"],
  ]);
});

test.each(["", "{", "[]", "null", "3", '{"messages":3}', '{"messages":[null,{}]}'])("%s has nothing in it", (text) => {
  expect(parseTranscript(text)).toEqual([]);
});

/** Things to do are told beside the tool that writes them, earlier or later; and ids count in that order. */
function sorted(items: readonly UniversalItem[]): string[] {
  return items
    .map(({ item_id: _, ...item }) =>
      JSON.stringify({ ...item, native_item_id: item.kind === "status" ? null : item.native_item_id }),
    )
    .sort();
}
