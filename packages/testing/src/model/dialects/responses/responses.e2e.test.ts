import { afterEach, describe, expect, test } from "vitest";
import { ask, dataOf, eventNames } from "../../__fixtures__/ask.ts";
import { callTool, fail, say, step, think } from "../../script/builders.ts";
import type { ModelStep } from "../../script/model-step.ts";
import { type ScriptedModel, startModel } from "../../start-model.ts";

let model: ScriptedModel;
afterEach(() => model.close());

const request = { model: "gpt-test", stream: true, input: "go" };

async function answerTo(scripted: ModelStep, body: object = request): ReturnType<typeof ask> {
  model = await startModel({ script: [scripted] });
  return ask(`${model.openaiUrl}/responses`, body);
}

describe("a streamed response", () => {
  const everything = step(
    think("hm"),
    say(["Hel", "lo"]),
    callTool("exec_command", { cmd: "ls" }, "call_1"),
    callTool("apply_patch", "*** Begin Patch", "call_2"),
  );

  test("has the events of the API in their order", async () => {
    const reply = await answerTo(everything);
    expect(eventNames(reply)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.reasoning_summary_part.added",
      "response.reasoning_summary_text.delta",
      "response.reasoning_summary_text.done",
      "response.reasoning_summary_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.function_call_arguments.delta",
      "response.function_call_arguments.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.custom_tool_call_input.delta",
      "response.custom_tool_call_input.done",
      "response.output_item.done",
      "response.completed",
    ]);
  });

  test("is numbered without a gap, and each event says its type", async () => {
    const reply = await answerTo(everything);
    const data = dataOf(reply);
    expect(data.map(({ sequence_number }) => sequence_number)).toEqual(data.map((_, index) => index));
    expect(data.map(({ type }) => type)).toEqual(reply.events.map(({ event }) => event));
  });

  test("ends with the items that were streamed, under the same ids", async () => {
    const data = dataOf(await answerTo({ ...everything, usage: { input: 50, output: 9, cached: 20, reasoning: 4 } }));
    const done = data.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
    const ids = done.map((item) => (item as { id: string }).id);
    const added = data.filter(({ type }) => type === "response.output_item.added");
    expect(added.map(({ item }) => (item as { id: string }).id)).toEqual(ids);
    expect(data.at(-1)).toMatchObject({
      response: {
        status: "completed",
        output: done,
        usage: {
          input_tokens: 50,
          input_tokens_details: { cached_tokens: 20 },
          output_tokens: 9,
          output_tokens_details: { reasoning_tokens: 4 },
          total_tokens: 59,
        },
      },
    });
    expect(done).toMatchObject([
      { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello" }] },
      { type: "function_call", call_id: "call_1", name: "exec_command", arguments: '{"cmd":"ls"}' },
      { type: "custom_tool_call", call_id: "call_2", name: "apply_patch", input: "*** Begin Patch" },
    ]);
  });

  test("deltas joined are the whole", async () => {
    const data = dataOf(await answerTo({ ...say("a longer text in pieces"), chunkSize: 3 }));
    const deltas = data.filter(({ type }) => type === "response.output_text.delta");
    expect(deltas.length).toBe(8);
    expect(deltas.map(({ delta }) => delta).join("")).toBe("a longer text in pieces");
  });

  test("that was cut short is incomplete", async () => {
    const reply = await answerTo({ ...say("a"), stopReason: "max_tokens" });
    expect(eventNames(reply).at(-1)).toBe("response.incomplete");
    expect(dataOf(reply).at(-1)).toMatchObject({
      response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
    });
  });

  test("can fail after it has begun", async () => {
    const reply = await answerTo(fail("in-stream", { type: "context_length_exceeded", message: "too long" }));
    expect(eventNames(reply)).toEqual(["response.created", "response.in_progress", "response.failed"]);
    expect(dataOf(reply).at(-1)).toMatchObject({
      response: { status: "failed", error: { code: "context_length_exceeded", message: "too long" } },
    });
  });
});

test("a request to compact gets one opaque item, which is read again as what it says", async () => {
  model = await startModel({ script: { steps: [say("ok")] } });
  const trigger = { type: "compaction_trigger" };
  const compact = { ...request, input: [{ role: "user", content: "go" }, trigger] };
  const data = dataOf(await ask(`${model.openaiUrl}/responses`, compact));
  const done = data.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item as object);
  expect(done).toMatchObject([{ type: "compaction", encrypted_content: expect.any(String) }]);
  expect(data.at(-1)).toMatchObject({ response: { status: "completed", output: done } });
  expect(model.requests[0]?.answeredBy).toMatchObject({ source: "side request", name: "compaction" });

  await ask(`${model.openaiUrl}/responses`, { ...request, input: [...done, { role: "user", content: "and now?" }] });
  expect(model.requests[1]?.messages[0]).toMatchObject({
    role: "assistant",
    text: expect.stringContaining("Scripted summary"),
  });
});

test("a call may have a namespace", async () => {
  const reply = await answerTo({ toolCalls: [{ name: "exec", namespace: "functions", input: "text(1)" }] });
  expect(dataOf(reply).at(-1)).toMatchObject({
    response: { output: [{ type: "custom_tool_call", namespace: "functions", name: "exec", input: "text(1)" }] },
  });
});

test("without a stream the response comes whole", async () => {
  const reply = await answerTo(say("Hello"), { ...request, stream: false });
  expect(JSON.parse(reply.text)).toMatchObject({
    object: "response",
    status: "completed",
    output: [{ type: "message", content: [{ text: "Hello" }] }],
  });
});

test.each([
  [401, "invalid_api_key"],
  [404, "model_not_found"],
  [429, "rate_limit_exceeded"],
  [500, null],
])("an HTTP error %i has the API's code %s", async (status, code) => {
  const reply = await answerTo(fail(status));
  expect(reply.status).toBe(status);
  expect(JSON.parse(reply.text)).toMatchObject({ error: { code, message: expect.any(String) } });
});

test("a request is read whole: instructions, items, images, calls, outputs, tools, thread", async () => {
  model = await startModel({ script: [say("a"), say("ok")] });
  const input = [
    { type: "message", role: "developer", content: [{ type: "input_text", text: "Be kind." }] },
    {
      type: "additional_tools",
      tools: [{ type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec" }] }],
    },
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "look" },
        { type: "input_image", image_url: "data:image/png;base64,AAAA" },
      ],
    },
    { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Looking." }] },
    { type: "function_call", call_id: "c1", name: "exec_command", arguments: '{"cmd":"ls"}' },
    { type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "*** Begin" },
    { type: "function_call_output", call_id: "c1", output: "a.txt" },
    { type: "custom_tool_call_output", call_id: "c2", output: [{ type: "input_text", text: "Success" }] },
    { type: "from_the_future" },
  ];
  const tools = [{ type: "function", name: "exec_command" }, { type: "web_search" }];
  const body = { ...request, instructions: "You are Codex.", input, tools };
  await ask(`${model.openaiUrl}/responses`, body, { "thread-id": "t-1" });
  expect(model.requests[0]).toMatchObject({
    dialect: "responses",
    conversationId: "t-1",
    system: "You are Codex.\nBe kind.",
    tools: ["exec_command", "web_search", "functions", "functions.exec"],
    answeredBy: { index: 1 },
    messages: [
      { role: "system", text: "Be kind." },
      { role: "user", text: "look", images: [{ mime: "image/png", data: "AAAA" }] },
      { role: "assistant", reasoning: "hm" },
      { role: "assistant", text: "Looking." },
      { role: "assistant", toolCalls: [{ id: "c1", name: "exec_command", input: { cmd: "ls" } }] },
      { role: "assistant", toolCalls: [{ id: "c2", name: "apply_patch", input: "*** Begin" }] },
      { role: "user", toolResults: [{ id: "c1", text: "a.txt" }] },
      { role: "user", toolResults: [{ id: "c2", text: "Success" }] },
    ],
  });
});
