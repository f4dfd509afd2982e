import { afterEach, describe, expect, test } from "vitest";
import { ask, dataOf, eventNames } from "../../__fixtures__/ask.ts";
import { callTool, fail, say, step, think } from "../../script/builders.ts";
import type { ModelStep } from "../../script/model-step.ts";
import { type ScriptedModel, startModel } from "../../start-model.ts";

let model: ScriptedModel;
afterEach(() => model.close());

const request = { model: "claude-test", max_tokens: 100, stream: true, messages: [{ role: "user", content: "go" }] };

async function answerTo(scripted: ModelStep, body: object = request): ReturnType<typeof ask> {
  model = await startModel({ script: [scripted] });
  return ask(`${model.anthropicUrl}/v1/messages?beta=true`, body);
}

describe("a streamed message", () => {
  test("has the events of the API in their order", async () => {
    const reply = await answerTo(step(think("hm"), say(["Hel", "lo"]), callTool("Bash", { command: "ls" })));
    expect(reply.headers.get("content-type")).toContain("text/event-stream");
    expect(eventNames(reply)).toEqual([
      "message_start",
      ...["content_block_start", "ping", "content_block_delta", "content_block_stop"],
      ...["content_block_start", "content_block_delta", "content_block_stop"],
      ...["content_block_start", "content_block_delta", "content_block_stop"],
      ...["message_delta", "message_stop"],
    ]);
    expect(dataOf(reply).map(({ type }) => type)).toEqual(reply.events.map(({ event }) => event));
  });

  test("opens, fills and closes each block under its index", async () => {
    const reply = await answerTo(step(think("hm"), say(["Hel", "lo"]), callTool("Bash", { command: "ls" }, "toolu_1")));
    const blocks = dataOf(reply).filter(({ index }) => index !== undefined);
    expect(blocks.filter(({ index }) => index === 0)).toMatchObject([
      { content_block: { type: "thinking", thinking: "" } },
      { delta: { type: "thinking_delta", thinking: "hm" } },
      { delta: { type: "signature_delta", signature: expect.any(String) } },
      { type: "content_block_stop" },
    ]);
    expect(blocks.filter(({ index }) => index === 1)).toMatchObject([
      { content_block: { type: "text", text: "" } },
      { delta: { type: "text_delta", text: "Hel" } },
      { delta: { type: "text_delta", text: "lo" } },
      { type: "content_block_stop" },
    ]);
    expect(blocks.filter(({ index }) => index === 2)).toMatchObject([
      { content_block: { type: "tool_use", id: "toolu_1", name: "Bash", input: {} } },
      { delta: { type: "input_json_delta", partial_json: '{"command":"ls"}' } },
      { type: "content_block_stop" },
    ]);
  });

  test("counts what the cache gave apart from other input", async () => {
    const usage = { input: 100, cached: 60, cacheWrite: 10, output: 7 };
    const data = dataOf(await answerTo({ ...say("a"), usage, stopReason: "max_tokens" }));
    expect(data[0]).toMatchObject({
      message: {
        role: "assistant",
        model: "claude-test",
        content: [],
        stop_reason: null,
        usage: { input_tokens: 30, cache_read_input_tokens: 60, cache_creation_input_tokens: 10, output_tokens: 1 },
      },
    });
    expect(data.at(-2)).toMatchObject({ delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 7 } });
  });

  test("can fail after it has begun", async () => {
    const reply = await answerTo(step(say("half"), fail("in-stream", { type: "overloaded_error", message: "busy" })));
    expect(reply.status).toBe(200);
    expect(dataOf(reply).at(-1)).toMatchObject({ type: "error", error: { type: "overloaded_error", message: "busy" } });
  });
});

test("without a stream the message comes whole", async () => {
  const scripted = step(think("hm"), say("Hello"), callTool("Bash", { command: "ls" }));
  const reply = await answerTo(scripted, { ...request, stream: false });
  expect(JSON.parse(reply.text)).toMatchObject({
    type: "message",
    content: [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "Hello" },
      { type: "tool_use", name: "Bash", input: { command: "ls" } },
    ],
    stop_reason: "tool_use",
    usage: { input_tokens: 100, output_tokens: 10 },
  });
});

test("an HTTP error has the API's shape and its type", async () => {
  const reply = await answerTo(fail(529, { retryAfterSeconds: 3 }));
  expect(reply.status).toBe(529);
  expect(reply.headers.get("retry-after")).toBe("3");
  expect(JSON.parse(reply.text)).toMatchObject({ type: "error", error: { type: "overloaded_error" } });
});

test("a request is read whole: system, roles, images, calls, results, tools, ids", async () => {
  const source = { type: "base64", media_type: "image/png", data: "AAAA" };
  await answerTo(say("ok"), {
    ...request,
    system: [{ type: "text", text: "Be kind." }],
    tools: [{ name: "Bash", input_schema: {} }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "look" },
          { type: "image", source },
        ],
      },
      { role: "system", content: "You work in /tmp." },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: [
              { type: "text", text: "no" },
              { type: "image", source },
            ],
            is_error: true,
          },
        ],
      },
      { role: "assistant", content: "strange" },
      { role: "user", content: [{ type: "from_the_future" }, { type: "text", text: "go on" }] },
    ],
    metadata: { user_id: JSON.stringify({ session_id: "s-1" }) },
  });
  const image = { mime: "image/png", data: "AAAA", url: undefined };
  expect(model.requests[0]).toMatchObject({
    dialect: "anthropic",
    path: "/v1/messages?beta=true",
    conversationId: "s-1",
    model: "claude-test",
    system: "Be kind.\nYou work in /tmp.",
    tools: ["Bash"],
    messages: [
      { role: "user", text: "look", images: [image] },
      { role: "system", text: "You work in /tmp." },
      { role: "assistant", reasoning: "hm", toolCalls: [{ id: "t1", name: "Bash", input: { command: "ls" } }] },
      { role: "user", toolResults: [{ id: "t1", text: "no", isError: true, images: [image] }] },
      { role: "assistant", text: "strange" },
      { role: "user", text: "go on" },
    ],
  });
});

test("tokens are counted and models listed without a step", async () => {
  model = await startModel({ script: [say("a")], models: ["claude-test"] });
  const count = await ask(`${model.anthropicUrl}/v1/messages/count_tokens?beta=true`, request);
  expect(JSON.parse(count.text)).toEqual({ input_tokens: expect.any(Number) });
  const models = await (await fetch(`${model.anthropicUrl}/v1/models?limit=10`)).json();
  expect(models).toMatchObject({ data: [{ id: "claude-test", type: "model" }], has_more: false });
  expect(model.requests).toEqual([]);
});
