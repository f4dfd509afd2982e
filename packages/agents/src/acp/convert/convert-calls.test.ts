// Whatever an agent says, in whatever order and with whatever left out, the stream stays sound.
import fc from "fast-check";
import { expect, test } from "vitest";
import { expectWholeTurn } from "../../contract/expect-whole-turn.ts";
import type { JsonRpcCall } from "../../json-rpc/json-rpc-message.ts";
import { beginningState } from "../__fixtures__/describe-recordings.ts";
import type { AcpUpdate } from "../dialect.ts";
import { answerPermission } from "./answers.ts";
import { convertCalls } from "./convert-calls.ts";
import { endTurn } from "./end-turn.ts";

function told(update: AcpUpdate): JsonRpcCall {
  return { method: "session/update", params: { sessionId: "s", update }, raw: JSON.stringify(update) };
}

const callId = fc.constantFrom("c1", "c2", "c3");
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const content = fc.oneof(
  fc.record({ type: fc.constant("text"), text: fc.constantFrom("", "hello ", "né😀") }),
  fc.record({ type: fc.constant("image"), data: fc.constant("AAAA"), mimeType: fc.constant("image/png") }),
  fc.record({ type: fc.constantFrom("audio", "resource", "hologram") }),
);
const toolContent = fc.oneof(
  fc.record({ type: fc.constant("content"), content }),
  fc.record({
    type: fc.constant("diff"),
    path: fc.constant("/workspace/a"),
    oldText: fc.constantFrom(null, "1\n"),
    newText: fc.constant("2\n"),
  }),
  fc.record({ type: fc.constant("terminal"), terminalId: fc.constant("t") }),
);
const chunk = fc.record({
  sessionUpdate: fc.constantFrom("agent_message_chunk", "agent_thought_chunk", "user_message_chunk"),
  content: some(content),
  messageId: some(fc.constantFrom("m1", "m2")),
  parentToolCallId: some(callId),
});
const tool = fc.record({
  sessionUpdate: fc.constantFrom("tool_call", "tool_call_update"),
  toolCallId: some(callId),
  title: fc.constantFrom("Do it", null),
  kind: fc.constantFrom("read", "edit", "execute", "other", null),
  status: fc.constantFrom("pending", "in_progress", "completed", "failed", null),
  content: fc.oneof(fc.constant(null), fc.array(toolContent, { maxLength: 2 })),
  locations: fc.constantFrom(null, [{ path: "/workspace/a" }], [{}]),
  rawInput: fc.constantFrom(undefined, {}, { path: "a" }, "text"),
  parentToolCallId: some(callId),
});
const other = fc.record({
  sessionUpdate: some(
    fc.constantFrom("plan", "notice", "usage_update", "compaction_update", "current_mode_update", "hologram"),
  ),
  entries: some(fc.constant([{ content: "Cut" }])),
  status: fc.constantFrom("completed", "failed"),
  title: fc.constantFrom("News", null),
  currentModeId: some(fc.constantFrom("a", "b")),
});
const update = fc.oneof(chunk, tool, other).map((native) => told(native as AcpUpdate));
const permission = fc.record({ toolCallId: some(callId), title: fc.constantFrom("Do it", null) }).map(
  (toolCall): JsonRpcCall => ({
    method: "session/request_permission",
    params: { toolCall, options: [] },
    id: 0,
    raw: "{}",
  }),
);
const calls = fc.array(fc.oneof({ weight: 5, arbitrary: update }, { weight: 1, arbitrary: permission }), {
  maxLength: 30,
});

test("the stream keeps its schema and its invariants", () => {
  fc.assert(
    fc.property(calls, fc.boolean(), (some, interrupted) => {
      const { state, drafts } = convertCalls(beginningState({}), some);
      const ended = endTurn(state, { result: { stopReason: "end_turn" } }, interrupted);
      expectWholeTurn([...drafts, ...ended.drafts]);
    }),
  );
});

test("it makes no difference where the pipe is cut", () => {
  fc.assert(
    fc.property(calls, fc.nat(30), (some, at) => {
      const whole = convertCalls(beginningState({}), some);
      const first = convertCalls(beginningState({}), some.slice(0, at));
      const second = convertCalls(first.state, some.slice(at));
      expect([...first.drafts, ...second.drafts]).toEqual(whole.drafts);
      expect(second.state).toEqual(whole.state);
    }),
  );
});

const edit = { toolCallId: "c", title: "Edit a", kind: "edit", rawInput: { path: "a" } };
const options = [
  { optionId: "yes", kind: "allow_once" },
  { optionId: "no", kind: "reject_once" },
];
const asked = (toolCall: object): JsonRpcCall => {
  return { method: "session/request_permission", params: { toolCall, options }, id: "u-1", raw: "{}" };
};

test.each([
  ["bypass", edit, "yes"],
  ["bypass", { ...edit, kind: "execute" }, "yes"],
  ["plan", edit, "no"],
  ["plan", { ...edit, kind: "other" }, "no"],
  ["plan", { ...edit, kind: "read" }, "yes"],
  ["acceptEdits", edit, "yes"],
  ["acceptEdits", { ...edit, rawInput: { path: "/etc/passwd" } }, undefined],
  ["acceptEdits", { ...edit, rawInput: {} }, undefined],
  ["acceptEdits", { ...edit, locations: [{ path: "/workspace/../b" }] }, undefined],
  ["acceptEdits", { ...edit, kind: "execute" }, undefined],
  ["default", { ...edit, kind: "read" }, undefined],
] as const)("in mode %s the use of %j is answered with %s", (permissionMode, toolCall, optionId) => {
  const { answers, drafts } = convertCalls(beginningState({}, { permissionMode }), [asked(toolCall)]);
  const expected = [{ id: "u-1", result: { outcome: { outcome: "selected", optionId } } }];
  expect(answers).toEqual(optionId === undefined ? [] : expected);
  expect(drafts.some(({ type }) => type === "permission.requested")).toBe(optionId === undefined);
});

test("what was allowed for always is the same tool with the same input, and nothing else", () => {
  const first = convertCalls(beginningState({}), [asked(edit)]);
  const { state } = answerPermission(first.state, "ir1", "always");
  expect(convertCalls(state, [asked({ ...edit, toolCallId: "d" })]).answers).toHaveLength(1);
  expect(convertCalls(state, [asked({ ...edit, toolCallId: "d", rawInput: { path: "b" } })]).answers).toEqual([]);
});

test("a request names the session's MCP server that has the tool", () => {
  const setting = { mcpServers: ["stone works"] };
  const quirks = { describeTool: () => ({ name: "carve", mcpServer: "stone works" }) };
  const about = (from: ReturnType<typeof beginningState>, call: object) =>
    convertCalls(from, [asked(call)]).drafts.find(({ type }) => type === "permission.requested")?.data;
  const [call, known] = [
    { toolCallId: "c", title: "Carve" },
    { kind: "mcp", mcp_server: "stone works" },
  ];
  expect(about(beginningState({}, setting), { ...call, name: "stone_works_carve" })).toMatchObject(known);
  expect(about(beginningState(quirks, setting), call)).toMatchObject({ ...known, tool: "stone works__carve" });
  expect(about(beginningState(quirks), call)).toMatchObject({ kind: "other", tool: "carve" });
});

test("a request says `~` as the home of the session", () => {
  const { drafts } = convertCalls(beginningState({}, { home: "/home/keeper" }), [
    asked({ ...edit, rawInput: { path: "~/.bashrc" } }),
  ]);
  expect(drafts.at(-1)?.data).toMatchObject({ kind: "edit", paths: ["/home/keeper/.bashrc"] });
});

test("a quirk can drop an update, replace it, and say what its tools are", () => {
  const quirks = {
    rewriteUpdate: (native: AcpUpdate) => (native.messageId === "drop" ? [] : [{ ...native, messageId: "kept" }]),
    describeTool: () => ({ name: "patch", kind: "edit" }),
  };
  const words = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } };
  const call = { sessionUpdate: "tool_call", toolCallId: "c", title: "?", kind: "other" };
  const { drafts } = convertCalls(beginningState(quirks), [
    told({ ...words, messageId: "drop" }),
    told(words),
    told(call),
  ]);
  expect(drafts.filter(({ type }) => type === "item.delta")).toMatchObject([{ data: { native_item_id: "kept" } }]);
  expect(JSON.stringify(drafts.at(-1))).toContain('"name":"patch"');
});

test("tokens are found wherever agents put them", () => {
  const words = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "" } };
  const { state } = convertCalls(beginningState({}), [
    told({ ...words, _meta: { usage: { inputTokens: 7, outputTokens: 1 } } }),
  ]);
  const usage = (result: object) => endTurn(state, { result }, false).outcome.usage;
  expect(usage({})).toEqual({ input_tokens: 7, output_tokens: 1 });
  const quota = { token_count: { input_tokens: 5, output_tokens: 4 } };
  expect(usage({ _meta: { quota } })).toEqual({ input_tokens: 5, output_tokens: 4 });
  const told_ = { inputTokens: 3, outputTokens: 2, thoughtTokens: 1 };
  expect(usage({ usage: told_ })).toEqual({ input_tokens: 3, output_tokens: 2, reasoning_tokens: 1 });
});
