import { afterEach, describe, expect, test } from "vitest";
import { ask, dataOf } from "../../__fixtures__/ask.ts";
import { callTool, fail, say, step, think } from "../../script/builders.ts";
import type { ModelStep } from "../../script/model-step.ts";
import { type ScriptedModel, startModel } from "../../start-model.ts";

let model: ScriptedModel;
afterEach(() => model.close());

const request = { model: "m1", stream: true, messages: [{ role: "user", content: "go" }] };

async function answerTo(scripted: ModelStep, body: object = request): ReturnType<typeof ask> {
  model = await startModel({ script: [scripted] });
  return ask(`${model.openaiUrl}/chat/completions`, body);
}

const everything = step(
  think("hm"),
  say(["Hel", "lo"]),
  callTool("bash", { command: "ls" }),
  callTool("read", {}, "c2"),
);

describe("a streamed completion", () => {
  test("has reasoning, content and tool calls as deltas, and ends with [DONE]", async () => {
    const reply = await answerTo(everything);
    const choices = dataOf(reply).flatMap(({ choices }) => choices as Record<string, unknown>[]);
    expect(choices.map(({ delta }) => delta)).toMatchObject([
      { role: "assistant", content: "" },
      { reasoning_content: "hm" },
      { content: "Hel" },
      { content: "lo" },
      { tool_calls: [{ index: 0, type: "function", function: { name: "bash", arguments: "" } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"command":"ls"}' } }] },
      { tool_calls: [{ index: 1, id: "c2", function: { name: "read", arguments: "" } }] },
      { tool_calls: [{ index: 1, function: { arguments: "{}" } }] },
      {},
    ]);
    expect(choices.map(({ finish_reason }) => finish_reason)).toEqual([...Array(8).fill(null), "tool_calls"]);
    expect(reply.events.at(-1)?.data).toBe("[DONE]");
  });

  test("tells its usage only to those who ask", async () => {
    const silent = dataOf(await answerTo(say("a")));
    expect(silent.some((chunk) => "usage" in chunk)).toBe(false);
    await model.close();
    const asking = { ...request, stream_options: { include_usage: true } };
    const told = dataOf(await answerTo({ ...say("a"), usage: { input: 5, output: 2, cached: 1 } }, asking));
    expect(told.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7, prompt_tokens_details: { cached_tokens: 1 } },
    });
  });

  test("can fail after it has begun", async () => {
    const reply = await answerTo(step(say("half"), fail("in-stream", { message: "busy" })));
    expect(dataOf(reply).at(-1)).toMatchObject({ error: { message: "busy" } });
    expect(reply.text).not.toContain("[DONE]");
  });
});

test("without a stream the completion comes whole", async () => {
  const reply = await answerTo(everything, { ...request, stream: false });
  expect(JSON.parse(reply.text)).toMatchObject({
    object: "chat.completion",
    choices: [
      {
        message: {
          role: "assistant",
          content: "Hello",
          reasoning_content: "hm",
          tool_calls: [{ function: { name: "bash", arguments: '{"command":"ls"}' } }, { id: "c2" }],
        },
        finish_reason: "tool_calls",
      },
    ],
    usage: { total_tokens: 110 },
  });
});

test("a request is read whole: system, images, calls, results, tools", async () => {
  model = await startModel({ script: [say("a"), say("ok")] });
  const call = { id: "c1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } };
  await ask(`${model.openaiUrl}/chat/completions`, {
    ...request,
    tools: [{ type: "function", function: { name: "bash" } }],
    max_tokens: 9,
    messages: [
      { role: "system", content: "Be kind." },
      {
        role: "user",
        content: [
          { type: "text", text: "look" },
          { type: "image_url", image_url: { url: "https://example.com/a.png" } },
        ],
      },
      { role: "assistant", content: null, reasoning_content: "hm", tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: "a.txt" },
    ],
  });
  expect(model.requests[0]).toMatchObject({
    dialect: "chat",
    system: "Be kind.",
    tools: ["bash"],
    maxTokens: 9,
    answeredBy: { index: 1 },
    messages: [
      { role: "system" },
      { role: "user", text: "look", images: [{ url: "https://example.com/a.png" }] },
      { role: "assistant", reasoning: "hm", toolCalls: [{ id: "c1", name: "bash", input: { command: "ls" } }] },
      { role: "user", toolResults: [{ id: "c1", text: "a.txt" }] },
    ],
  });
});
