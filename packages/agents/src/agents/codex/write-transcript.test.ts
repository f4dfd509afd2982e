import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { completedItems } from "../../transcripts/__fixtures__/completed-items.ts";
import { parseTranscript } from "./transcript.ts";
import { writeTranscript } from "./write-transcript.ts";

const about = {
  nativeSessionId: "00000000-0000-7000-8000-000000000001",
  directory: "/workspace",
  time: "2026-01-02T03:04:05.678Z",
};

function payloads(events: readonly UniversalEvent[]): unknown[] {
  const lines = writeTranscript(events, about).text.trimEnd().split("\n");
  return lines.slice(1).map((line) => (JSON.parse(line) as { payload: unknown }).payload);
}

test("it lies where Codex looks for it, and begins with what it is", () => {
  const { path, text } = writeTranscript([], about);
  expect(path).toBe(`sessions/2026/01/02/rollout-2026-01-02T03-04-05-${about.nativeSessionId}.jsonl`);
  expect(JSON.parse(text)).toMatchObject({
    type: "session_meta",
    payload: { id: about.nativeSessionId, cwd: "/workspace", timestamp: about.time },
  });
});

test("both sides' words and the tools' work are told, thoughts and states are not", () => {
  const events = completedItems(
    { role: "user", content: [{ type: "text", text: "Hello." }] },
    { content: [{ type: "reasoning", text: "Hm.", visibility: "public" }] },
    { kind: "status", role: "system", content: [{ type: "status", label: "Busy" }] },
    { kind: "tool_call", content: [{ type: "tool_call", name: "Web Fetch", arguments: "{}", call_id: "c" }] },
    { kind: "tool_result", role: "tool", content: [{ type: "tool_result", call_id: "c", output: "found" }] },
    { parent_id: "i3", content: [{ type: "text", text: "A subagent speaks." }] },
    { content: [{ type: "text", text: "Done." }] },
  );
  expect(parseTranscript(writeTranscript(events, about).text).map(({ kind, content }) => [kind, ...content])).toEqual([
    ["message", { type: "text", text: "Hello." }],
    ["tool_call", { type: "tool_call", name: "Web_Fetch", arguments: "{}", call_id: "c" }],
    ["tool_result", { type: "tool_result", call_id: "c", output: "found" }],
    ["message", { type: "text", text: "Done." }],
  ]);
  expect(payloads(events)).toEqual([
    { type: "message", role: "user", content: [{ type: "input_text", text: "Hello." }] },
    { type: "function_call", name: "Web_Fetch", arguments: "{}", call_id: "c" },
    { type: "function_call_output", call_id: "c", output: "found" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] },
  ]);
});

test("a call without a result gets one, a result without a call goes", () => {
  const events = completedItems(
    { kind: "tool_result", role: "tool", content: [{ type: "tool_result", call_id: "x", output: "lost" }] },
    { kind: "tool_call", content: [{ type: "tool_call", name: "t", arguments: "{}", call_id: "c" }] },
  );
  expect(payloads(events)).toEqual([
    { type: "function_call", name: "t", arguments: "{}", call_id: "c" },
    { type: "function_call_output", call_id: "c", output: expect.stringMatching(/\S/) },
  ]);
});
