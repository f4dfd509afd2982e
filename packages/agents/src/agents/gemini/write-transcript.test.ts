import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { completedItems } from "../../transcripts/__fixtures__/completed-items.ts";
import { parseTranscript } from "./transcript.ts";
import { writeTranscript } from "./write-transcript.ts";

const about = {
  nativeSessionId: "00000000-0000-7000-8000-000000000001",
  directory: "/work space/My.Project_1",
  time: "2026-01-02T03:04:05.678Z",
  nextUuid: () => crypto.randomUUID(),
};

const call = (call_id: string): Partial<UniversalItem> => ({
  kind: "tool_call",
  content: [{ type: "tool_call", name: "Web Fetch", arguments: '{"url":"x"}', call_id }],
});
const result = (call_id: string, output: string): Partial<UniversalItem> => ({
  kind: "tool_result",
  role: "tool",
  content: [{ type: "tool_result", call_id, output }],
});

test("it lies where Gemini CLI looks for conversations of a directory that is new to it", () => {
  const { path, text } = writeTranscript([], about);
  expect(path).toBe("tmp/my-project-1/chats/session-2026-01-02T03-04-05-00000000.jsonl");
  expect(JSON.parse(text)).toMatchObject({ sessionId: about.nativeSessionId, kind: "main", startTime: about.time });
});

test("both sides' words and the tools' work are told, thoughts, subagents and states are not", () => {
  const events = completedItems(
    { role: "user", content: [{ type: "text", text: "Hello." }] },
    { content: [{ type: "reasoning", text: "Hm.", visibility: "public" }] },
    { kind: "status", role: "system", content: [{ type: "status", label: "Busy" }] },
    call("c"),
    result("c", "found"),
    { parent_id: "i3", content: [{ type: "text", text: "A subagent speaks." }] },
    { content: [{ type: "text", text: "Done." }] },
  );
  const items = parseTranscript(writeTranscript(events, about).text);
  expect(items.map(({ kind, content }) => [kind, ...content])).toEqual([
    ["message", { type: "text", text: "Hello." }],
    ["tool_call", { type: "tool_call", name: "Web_Fetch", arguments: '{"url":"x"}', call_id: "c" }],
    ["tool_result", { type: "tool_result", call_id: "c", output: "found" }],
    ["message", { type: "text", text: "Done." }],
  ]);
});

test("a call without a result gets one, a result without a call goes", () => {
  const items = parseTranscript(writeTranscript(completedItems(result("x", "lost"), call("c")), about).text);
  expect(items.map(({ kind, status }) => `${kind} ${status}`)).toEqual(["tool_call failed", "tool_result failed"]);
});
