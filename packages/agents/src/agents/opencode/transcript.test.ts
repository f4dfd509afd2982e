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
  const streamed = drafts.flatMap((draft) => (draft.type === "item.completed" ? [draft.data.item] : []));
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
