import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { completedItems } from "../../transcripts/__fixtures__/completed-items.ts";
import { parseTranscript } from "./transcript.ts";
import { writeTranscript } from "./write-transcript.ts";

const message = (role: "user" | "assistant", text: string): Partial<UniversalItem> => ({
  kind: "message",
  role,
  content: [{ type: "text", text }],
});
const call = (call_id: string, name: string, json = "{}"): Partial<UniversalItem> => ({
  kind: "tool_call",
  role: "assistant",
  content: [{ type: "tool_call", name, arguments: json, call_id }],
});
const result = (
  call_id: string,
  output: string,
  status: "completed" | "failed" = "completed",
): Partial<UniversalItem> => ({
  kind: "tool_result",
  role: "tool",
  status,
  content: [{ type: "tool_result", call_id, output }],
});

function write(...items: Partial<UniversalItem>[]) {
  let uuids = 0;
  const nextUuid = () => `00000000-0000-4000-8000-${String(++uuids).padStart(12, "0")}`;
  const about = { nativeSessionId: "ses_1", directory: "/workspace", time: "2026-01-02T03:04:05.678Z", nextUuid };
  return writeTranscript(completedItems(...items), about);
}

const conversation = [
  message("user", "Look around."),
  message("assistant", "I look."),
  call("c1", "mcp__server.tool", '{"a":1}'),
  result("c1", "a file"),
  call("c2", "bash", "not json"),
  result("c2", "no such file", "failed"),
  message("assistant", "There is a file."),
  message("user", "Thanks."),
];

test("the words and tools of both sides are read again", () => {
  const items = parseTranscript(write(...conversation).text);
  expect(items.map(({ kind, role, status, content }) => [kind, role, status, content[0]])).toEqual([
    ["message", "user", "completed", { type: "text", text: "Look around." }],
    ["message", "assistant", "completed", { type: "text", text: "I look." }],
    [
      "tool_call",
      "assistant",
      "completed",
      { type: "tool_call", name: "mcp__server_tool", arguments: '{"a":1}', call_id: "c1" },
    ],
    ["tool_result", "tool", "completed", { type: "tool_result", call_id: "c1", output: "a file" }],
    [
      "tool_call",
      "assistant",
      "failed",
      { type: "tool_call", name: "bash", arguments: '{"input":"not json"}', call_id: "c2" },
    ],
    ["tool_result", "tool", "failed", { type: "tool_result", call_id: "c2", output: "no such file" }],
    ["message", "assistant", "completed", { type: "text", text: "There is a file." }],
    ["message", "user", "completed", { type: "text", text: "Thanks." }],
  ]);
});

test("each step of the assistant is a message that answers the user's, and ids are in order", () => {
  const { path, text } = write(...conversation);
  const { messages } = JSON.parse(text) as { messages: { info: Record<string, string>; parts: { id: string }[] }[] };
  expect(path).toBe("import/ses_1.json");
  expect(messages.map(({ info }) => info.role)).toEqual(["user", "assistant", "assistant", "user"]);
  expect(messages[1]?.info.parentID).toBe(messages[0]?.info.id);
  const ids = messages.map(({ info }) => info.id ?? "");
  expect([...ids].sort()).toEqual(ids);
  expect(new Set([...ids, ...messages.flatMap(({ parts }) => parts.map(({ id }) => id))]).size).toBe(10);
});

test("a call without a result is said not to be answered; what subagents did, thought and stated is left out", () => {
  const { text } = write(
    call("c1", "bash"),
    { ...message("assistant", "under somebody"), parent_id: "i0" },
    { kind: "message", role: "assistant", content: [{ type: "reasoning", text: "hm", visibility: "public" }] },
    { kind: "status", role: "system", content: [{ type: "status", label: "Todos" }] },
    message("assistant", " "),
  );
  expect(parseTranscript(text)).toMatchObject([
    { kind: "tool_call", status: "failed" },
    { kind: "tool_result", content: [{ output: "The call was not answered." }] },
  ]);
});
