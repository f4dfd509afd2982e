import { afterEach, expect, test } from "vitest";
import { ask, dataOf } from "../../__fixtures__/ask.ts";
import { callTool, fail, say, step, think } from "../../script/builders.ts";
import type { ModelStep } from "../../script/model-step.ts";
import { type ScriptedModel, startModel } from "../../start-model.ts";

let model: ScriptedModel;
afterEach(() => model.close());

const request = { contents: [{ role: "user", parts: [{ text: "go" }] }] };
const streaming = "streamGenerateContent?alt=sse";

async function answerTo(scripted: ModelStep, method: string, body: object = request): ReturnType<typeof ask> {
  model = await startModel({ script: [scripted, say("ok")] });
  return ask(`${model.geminiUrl}/v1beta/models/gemini-test:${method}`, body);
}

const everything = step(
  think("**Plan** hm"),
  say(["Hel", "lo"]),
  callTool("run_shell_command", { command: "ls" }, "c1"),
);

function candidates(responses: Record<string, unknown>[]): Record<string, unknown>[] {
  return responses.flatMap(({ candidates: found }) => found as Record<string, unknown>[]);
}

test("a stream is one response per chunk: thoughts, text, whole calls; only the last has an end", async () => {
  const data = dataOf(await answerTo({ ...everything, usage: { input: 9, output: 5, reasoning: 2 } }, streaming));
  expect(candidates(data).map(({ content }) => (content as { parts: unknown[] }).parts)).toEqual([
    [{ text: "**Plan** hm", thought: true }],
    [{ text: "Hel" }],
    [{ text: "lo" }],
    [{ functionCall: { id: "c1", name: "run_shell_command", args: { command: "ls" } } }],
    [{ text: "" }],
  ]);
  expect(candidates(data).map(({ finishReason }) => finishReason)).toEqual([...Array(4).fill(undefined), "STOP"]);
  expect(data.at(-1)).toMatchObject({
    modelVersion: "gemini-test",
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, thoughtsTokenCount: 2, totalTokenCount: 14 },
  });
});

test("without a stream all parts come in one response", async () => {
  const reply = await answerTo(everything, "generateContent");
  expect(JSON.parse(reply.text)).toMatchObject({
    candidates: [
      {
        content: { role: "model", parts: [{ thought: true }, { text: "Hello" }, { functionCall: { id: "c1" } }] },
        finishReason: "STOP",
      },
    ],
  });
});

test("errors have the API's names, before and inside of a stream", async () => {
  const refused = await answerTo(fail(429, { message: "slow down" }), streaming);
  expect(refused.status).toBe(429);
  expect(JSON.parse(refused.text)).toEqual({
    error: { code: 429, message: "slow down", status: "RESOURCE_EXHAUSTED" },
  });
  await model.close();
  const broken = await answerTo(step(say("half"), fail("in-stream", { message: "busy" })), streaming);
  expect(dataOf(broken).at(-1)).toEqual({ error: { code: 500, message: "busy", status: "INTERNAL" } });
});

test("a request is read whole: system, images, calls, results, tools", async () => {
  await answerTo(say("a"), streaming, {
    systemInstruction: { parts: [{ text: "Be kind." }] },
    tools: [{ functionDeclarations: [{ name: "read_file" }] }],
    generationConfig: { maxOutputTokens: 9 },
    contents: [
      { role: "user", parts: [{ text: "look" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] },
      {
        role: "model",
        parts: [{ text: "hm", thought: true }, { functionCall: { name: "read_file", args: { path: "a" } } }],
      },
      { role: "user", parts: [{ functionResponse: { id: "c1", name: "read_file", response: { output: "text" } } }] },
      { role: "user", parts: [{ functionResponse: { name: "read_file", response: { error: "gone" } } }] },
    ],
  });
  expect(model.requests[0]).toMatchObject({
    dialect: "gemini",
    model: "gemini-test",
    stream: true,
    system: "Be kind.",
    tools: ["read_file"],
    maxTokens: 9,
    answeredBy: { index: 1 },
    messages: [
      { role: "user", text: "look", images: [{ mime: "image/png", data: "AAAA" }] },
      { role: "assistant", text: "", reasoning: "hm", toolCalls: [{ name: "read_file", input: { path: "a" } }] },
      { role: "user", toolResults: [{ id: "c1", text: "text", isError: false }] },
      { role: "user", toolResults: [{ id: "read_file", text: "gone", isError: true }] },
    ],
  });
});

test("tokens are counted and models listed without a step", async () => {
  model = await startModel({ script: [say("a")], models: ["gemini-test"] });
  const count = await ask(`${model.geminiUrl}/v1beta/models/gemini-test:countTokens`, request);
  expect(JSON.parse(count.text)).toEqual({ totalTokens: expect.any(Number) });
  const models = await (await fetch(`${model.geminiUrl}/v1beta/models`)).json();
  expect(models).toMatchObject({ models: [{ name: "models/gemini-test" }] });
  expect(model.requests).toEqual([]);
});
