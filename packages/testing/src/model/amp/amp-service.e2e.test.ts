import { afterEach, describe, expect, test } from "vitest";
import { callTool, cut, fail, hang, say, step, think } from "../script/builders.ts";
import type { ModelScript } from "../script/model-script.ts";
import { type ScriptedModel, startModel } from "../start-model.ts";
import { AmpClient, post, type Told } from "./__fixtures__/amp-client.ts";

let model: ScriptedModel;
const clients: AmpClient[] = [];

async function open(script: ModelScript, tools: Parameters<typeof AmpClient.open>[1] = {}): Promise<AmpClient> {
  model = await startModel({ script });
  return join(tools);
}

async function join(tools: Parameters<typeof AmpClient.open>[1] = {}, mode?: string): Promise<AmpClient> {
  const client = await AmpClient.open(model.ampUrl, tools, mode);
  clients.push(client);
  return client;
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await model.close();
});

function messagesIn(told: readonly Told[], role = "assistant"): Record<string, unknown>[] {
  return told
    .filter(({ method }) => method === "message_added")
    .map(({ params }) => params.message as Record<string, unknown>)
    .filter((message) => message.role === role);
}

function namesOf(told: readonly Told[]): string[] {
  const names = told.map(({ method }) => method);
  return names.filter((name, index) => name !== names[index - 1]);
}

describe("a turn", () => {
  test("is streamed and then told whole, with its thoughts and its usage", async () => {
    const client = await open([
      { ...step(think("hm"), say(["Good ", "morning"])), usage: { input: 30, output: 5, cached: 10 } },
    ]);
    const told = await client.answer("hello");
    expect(namesOf(told)).toEqual([
      "message_added",
      "agent_state",
      "inference_tools",
      "agent_state",
      "delta",
      "message_added",
      "agent_state",
    ]);
    expect(told.filter(({ method }) => method === "delta").map(({ params }) => params.blocks)).toEqual([
      [{ type: "thinking", thinking: "hm" }],
      [{ type: "text", text: "Good " }],
      [{ type: "text", text: "morning" }],
      undefined,
    ]);
    expect(messagesIn(told)).toMatchObject([
      {
        messageId: expect.stringMatching(/^M-[0-9A-Za-z]{22}$/),
        state: { type: "complete" },
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "Good morning" },
        ],
        usage: { inputTokens: 20, cacheReadInputTokens: 10, totalInputTokens: 30, outputTokens: 5 },
      },
    ]);
    expect(client.protocol).toBe("rivet");
  });

  test("lets the program run tools, several at once, and tells the model their results", async () => {
    const both = step(callTool("shout", { text: "a" }), callTool("shout", { text: "b" }));
    const client = await open([both, { ...say("Heard."), expect: { toolResult: ["A!", "B!"], tools: ["shout"] } }], {
      shout: ({ text }) => ({ said: `${String(text).toUpperCase()}!` }),
    });
    const told = await client.answer("shout twice");
    const calls = messagesIn(told)[0]?.content as { id: string }[];
    expect(calls.map(({ id }) => id)).toEqual([expect.stringMatching(/^TU-\w{22}$/), expect.stringMatching(/^TU-/)]);
    expect(messagesIn(told, "user")[1]?.content).toMatchObject(calls.map(({ id }) => ({ toolUseID: id })));
    expect(model.requests[1]?.messages.at(-1)?.toolResults.map(({ text }) => text)).toEqual([
      '{"said":"A!"}',
      '{"said":"B!"}',
    ]);
    model.verify();
  });

  test("waits until the program has told of itself", async () => {
    const client = await open([say("one"), { ...say("two"), expect: { system: "linux" } }]);
    await client.answer("a");
    client.close();
    await client.connect(2, false);
    await client.say("b");
    await client.request("executor_environment_snapshot", { environment: { os: "linux" } });
    await client.request("executor_tools_bootstrap_complete", { ok: true });
    await model.waitForRequest(({ index }) => index === 1);
    model.verify();
  });

  test("is recorded as a request: the mode as model, the guidance as system prompt, images, and the thread", async () => {
    await open({ fallback: "echo" });
    const client = await join({}, "high");
    const source = { type: "base64", mediaType: "image/png", data: "AAAA" };
    await client.say("look", [{ type: "image", source, sourcePath: "a.png" }]);
    await client.until("message_added");
    expect(await model.waitForRequest()).toMatchObject({
      dialect: "amp",
      model: "high",
      conversationId: client.threadId,
      system: expect.stringContaining("Be kind."),
      messages: [{ role: "user", text: "look", images: [{ mime: "image/png", data: "AAAA" }] }],
      body: { threadId: client.threadId },
    });
  });
});

describe("a failure", () => {
  test("that lasts is an error of the thread, and the next message is answered", async () => {
    const client = await open([fail(400, { message: "No." }), say("Yes.")]);
    await client.say("bad");
    await client.until("agent_state", "error");
    expect((await client.until("error_set")).params).toMatchObject({ error: { message: "No." } });
    expect(messagesIn(await client.answer("good"))[0]?.content).toMatchObject([{ text: "Yes." }]);
  });

  test("that passes is tried again by the service, which says so, and not for ever", async () => {
    const client = await open({
      conversations: [
        { when: { prompt: "busy" }, steps: [fail(429, { retryAfterSeconds: 0 }), say("Here.")] },
        { when: { prompt: "broken" }, steps: [{ ...fail(500), repeat: "forever" }] },
      ],
    });
    const told = await client.answer("busy");
    expect(namesOf(told)).toEqual(expect.arrayContaining(["retry_scheduled", "retry_started"]));
    expect(messagesIn(told)[0]?.content).toMatchObject([{ text: "Here." }]);
    await client.say("broken");
    await client.until("agent_state", "error");
    expect(client.told.filter(({ method }) => method === "retry_started")).toHaveLength(3);
  });

  test("that would take long to pass is not waited for", async () => {
    const client = await open([fail(429, { retryAfterSeconds: 120 })]);
    await client.say("hurry");
    await client.until("agent_state", "error");
    expect((await client.until("error_set")).params).toMatchObject({ error: { retryAt: expect.any(Number) } });
  });

  test("inside of the stream comes after what was said", async () => {
    const client = await open([step(say("Well"), fail("in-stream", { message: "Out of words." }))]);
    await client.say("speak");
    await client.until("agent_state", "error");
    expect(namesOf(client.told).slice(-3)).toEqual(["delta", "error_set", "agent_state"]);
  });

  test("of the connection is mended by connecting again: the model is asked once more", async () => {
    const client = await open([step(say(["a", "b"]), cut(1)), say("after all")]);
    const closed = client.closed();
    void client.say("go on");
    await closed;
    expect(client.told.filter(({ method }) => method === "delta")).toHaveLength(1);
    client.told.length = 0;
    await client.connect(1);
    await client.until("agent_state", "idle");
    expect(messagesIn(client.told)[0]?.content).toMatchObject([{ text: "after all" }]);
  });
});

describe("a thread", () => {
  test("that is cancelled keeps what was said, and goes on", async () => {
    const client = await open([step(say(["So far ", "so good"]), hang(1)), say("Next.")]);
    await client.say("speak");
    await client.until("delta");
    await client.request("client_cancel");
    await client.until("cancelled");
    expect(messagesIn(client.told)).toMatchObject([{ state: { type: "cancelled" }, content: [{ text: "So far " }] }]);
    expect(messagesIn(await client.answer("more"))[0]?.content).toMatchObject([{ text: "Next." }]);
  });

  test("cancels the tools that run", async () => {
    const client = await open([callTool("sleep"), say("Good morning.")], { sleep: () => undefined as never });
    await client.say("sleep");
    await client.until("tool_lease");
    await client.request("client_cancel");
    await client.until("cancelled");
    await client.answer("wake up");
    const [result] = model.requests[1]?.messages.flatMap(({ toolResults }) => toolResults) ?? [];
    expect(result).toMatchObject({ text: "user:interrupted", isError: true });
  });

  test("tells a program that was away what it has missed", async () => {
    const client = await open([say("one"), say("two")]);
    await client.answer("a");
    client.close();
    await client.connect(1);
    await client.until("message_added");
    expect(messagesIn(client.told)[0]?.content).toMatchObject([{ text: "one" }]);
  });

  test("is gone on with by its id, and never mixed with another", async () => {
    const client = await open({ fallback: "echo" });
    const other = await join();
    await Promise.all([client.answer("mine"), other.answer("yours")]);
    await client.answer("mine too");
    expect(model.requests.at(-1)?.messages.map(({ text }) => text)).toEqual(["mine", "mine", "mine too"]);
    const tail = await post(model.url, "/api/internal?getThreadTail", tailOf(other.threadId));
    expect(tail).toMatchObject({ ok: true, result: { hasMoreBefore: false, thread: { data: { v: 2 } } } });
    await post(model.url, "/api/internal", {
      method: "archiveThread",
      params: { thread: other.threadId, archived: true },
    });
    expect(await post(model.url, "/api/internal", tailOf(other.threadId))).toMatchObject({
      result: { thread: { data: { archived: true } } },
    });
  });

  test("that does not exist is not found", async () => {
    await open({ fallback: "echo" });
    expect(await post(model.url, "/api/internal", tailOf("T-none"))).toMatchObject({
      ok: false,
      error: { code: "thread-not-found" },
    });
  });
});

test("a ping is answered, and what is no JSON is no harm", async () => {
  const client = await open({ fallback: "echo" });
  client.send("nonsense");
  client.send("ping");
  await client.until("pong");
  model.verify();
});

test("a wrong key is refused", async () => {
  model = await startModel({ script: { fallback: "echo" }, refusedKeys: ["wrong"] });
  expect(await post(model.url, "/api/internal", { method: "getUserInfo" }, "wrong")).toMatchObject({ status: 401 });
  expect(await post(model.url, "/api/internal", { method: "getUserInfo" }, "right")).toMatchObject({ status: 200 });
});

function tailOf(thread: string): object {
  return { method: "getThreadTail", params: { thread, limit: 10 } };
}
