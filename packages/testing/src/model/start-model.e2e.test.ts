import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { ask, eventNames, messagesRequest, type Reply, textOf } from "./__fixtures__/ask.ts";
import { callTool, cut, fail, hang, say, step } from "./script/builders.ts";
import type { ModelScript } from "./script/model-script.ts";
import { type ScriptedModel, startModel } from "./start-model.ts";

let model: ScriptedModel;
afterEach(() => model.close());

async function start(script: ModelScript): Promise<void> {
  model = await startModel({ script });
}

function send(...turns: Parameters<typeof messagesRequest>[0]): Promise<Reply> {
  return ask(`${model.url}/v1/messages`, messagesRequest(turns));
}

describe("a conversation", () => {
  test("walks through its steps turn by turn, and a repeated request gets the same", async () => {
    await start([say("one"), say("two")]);
    expect(textOf(await send("a"))).toBe("one");
    expect(textOf(await send("a"))).toBe("one");
    expect(textOf(await send({ user: "a", assistant: "one" }, "b"))).toBe("two");
    expect(textOf(await send({ user: "a", assistant: "one" }, "b"))).toBe("two");
    model.verify();
  });

  test("of twenty at once each gets its own steps", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `talk-${index}.`);
    const conversations = names.map((name) => {
      const steps = [{ ...say([`${name} first`, " answer"]), delayMs: 2 }, say(`${name} second answer`)];
      return { name, when: { prompt: name }, steps };
    });
    await start({ conversations });
    const talk = async (name: string): Promise<string[]> => {
      const first = textOf(await send(`${name} hello`));
      return [first, textOf(await send({ user: `${name} hello`, assistant: first }, "and now?"))];
    };
    const talks = await Promise.all(names.map(talk));
    expect(talks).toEqual(names.map((name) => [`${name} first answer`, `${name} second answer`]));
    model.verify();
  });

  test.each(["x-claude-code-session-id", "x-session-id"])(
    "is told apart from one with the same words by the agent's own id in %s",
    async (header) => {
      await start([fail(500), say("ok")]);
      const asked = (session: string): Promise<Reply> =>
        ask(`${model.url}/v1/messages`, messagesRequest(["hi"]), { [header]: session });
      expect((await asked("a")).status).toBe(500);
      expect((await asked("b")).status).toBe(500);
      expect(textOf(await asked("a"))).toBe("ok");
    },
  );
});

describe("failures", () => {
  test("come in their order, each for one request, then the answer", async () => {
    await start([
      { ...fail(429, { retryAfterSeconds: 0 }), repeat: 2 },
      fail(500, { body: "gateway fell over" }),
      say("ok"),
    ]);
    const replies = [await send("a"), await send("a"), await send("a"), await send("a")];
    expect(replies.map(({ status }) => status)).toEqual([429, 429, 500, 200]);
    expect(replies[2]?.text).toBe("gateway fell over");
    model.verify();
  });

  test("a cut breaks the connection after its chunks", async () => {
    await start([step(say(["a", "b", "c"]), cut(2)), say("whole")]);
    const broken = await send("x");
    expect(broken.isWhole).toBe(false);
    expect(textOf(broken)).toBe("ab");
    expect(textOf(await send("x"))).toBe("whole");
  });

  test("a cut after all chunks closes nothing that was opened", async () => {
    await start([step(say(["a", "b"]), cut(true))]);
    const broken = await send("x");
    expect(broken.isWhole).toBe(false);
    expect(textOf(broken)).toBe("ab");
    expect(eventNames(broken)).not.toContain("content_block_stop");
  });

  test("a cut at 0 breaks it before the first byte", async () => {
    await start([cut(0)]);
    await expect(send("x")).rejects.toThrow("fetch failed");
  });

  test("a cut of a reply that is not streamed leaves half of it", async () => {
    await start([step(say("whole"), cut(1))]);
    const reply = await ask(`${model.url}/v1/messages`, messagesRequest(["x"], { stream: false }));
    expect(reply.isWhole).toBe(false);
    expect(() => JSON.parse(reply.text)).toThrow();
  });

  test("a hang says what it has to say and then nothing, until the service is closed", async () => {
    await start([step(say(["a", "b"]), hang())]);
    const response = await fetch(`${model.url}/v1/messages`, {
      method: "POST",
      body: JSON.stringify(messagesRequest(["x"])),
    });
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes('"text":"b"')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    const next = reader?.read();
    await model.close();
    await expect(next).rejects.toThrow();
    expect(text).not.toContain("message_stop");
  });

  test("a hang without words sends not even a first byte, and a client may leave", async () => {
    await start([hang(), say("after")]);
    const leaving = new AbortController();
    const body = JSON.stringify(messagesRequest(["x"]));
    const waiting = fetch(`${model.url}/v1/messages`, { method: "POST", body, signal: leaving.signal });
    await model.waitForRequest();
    leaving.abort();
    await expect(waiting).rejects.toThrow("abort");
    expect(textOf(await send("x", "again"))).toBe("after");
  });
});

test("delays come before the first byte and between chunks", async () => {
  await start([{ ...say(["a", "b", "c"]), delayMs: { first: 20, between: 10 } }]);
  const begun = performance.now();
  await send("x");
  expect(performance.now() - begun).toBeGreaterThanOrEqual(35);
});

test("a text of megabytes arrives whole, characters never split", async () => {
  const text = "aé漢😀".repeat(500_000);
  await start([{ ...say(text), chunkSize: 65_537 }]);
  expect(textOf(await send("x"))).toBe(text);
});

describe("a script that has nothing to say", () => {
  test("answers with an error that explains it, and the test fails", async () => {
    await start([say("one")]);
    const reply = await send({ user: "a", assistant: "one" }, "what now?");
    expect(reply.status).toBe(500);
    expect(reply.text).toContain("steps has no step 1");
    expect(reply.text).toContain("what now?");
    expect(() => model.verify()).toThrow("Request 0: The model script has no answer");
  });

  test("says so where no conversation matches", async () => {
    await start({ conversations: [{ when: { prompt: "weather" }, steps: [say("sunny")] }] });
    expect((await send("else")).text).toContain("no conversation of the script matches");
    expect(model.problems).toHaveLength(1);
  });

  test("may echo instead, or have a step for all", async () => {
    await start({ fallback: "echo" });
    expect(textOf(await send("a", "say this"))).toBe("say this");
    await model.close();
    await start({ fallback: say("always") });
    expect(textOf(await send("a"))).toBe("always");
    model.verify();
  });
});

describe("expectations", () => {
  test("that are unmet fail the test, not the agent", async () => {
    await start([{ ...say("one"), expect: { text: "hello", tools: ["Bash"] } }]);
    expect(textOf(await send("hello you"))).toBe("one");
    expect(model.problems).toEqual([expect.stringContaining("Request 0: steps[0] expected the tool Bash")]);
    expect(() => model.verify()).toThrow("1 problem");
  });

  test("and captures feed a step from its request", async () => {
    await start([{ ...callTool("Write", { path: "{{plan}}" }), capture: { plan: /plan is (\S+)/ } }]);
    expect((await send("the plan is /p/a.md")).text).toContain("/p/a.md");
    model.verify();
  });
});

describe("side requests", () => {
  const title = { system: "You are a title generator. Nothing else.", tools: [] };

  test("of agents we know use no step", async () => {
    await start([say("one")]);
    const reply = await ask(`${model.url}/v1/messages`, messagesRequest(["hello"], title));
    expect(textOf(reply)).toBe("Scripted title");
    expect(model.requests[0]?.answeredBy).toEqual({ source: "side request", name: "title", index: 0 });
    expect(textOf(await send("hello"))).toBe("one");
  });

  test("of the script come first, and the known ones may be switched off", async () => {
    const sideRequests = [{ name: "mine", when: { system: "title" }, answer: say("My title") }];
    await start({ steps: [say("one")], sideRequests });
    expect(textOf(await ask(`${model.url}/v1/messages`, messagesRequest(["hello"], title)))).toBe("My title");
    await model.close();
    await start({ steps: [say("one")], knownSideRequests: false });
    expect(textOf(await ask(`${model.url}/v1/messages`, messagesRequest(["hello"], title)))).toBe("one");
  });
});

describe("the record", () => {
  test("hides credentials and keeps the rest", async () => {
    await start([say("one")]);
    const headers = { authorization: "Bearer sk-secret-1234", "x-api-key": "key-secret-5678", "x-other": "plain" };
    await ask(`${model.url}/v1/messages`, messagesRequest(["a"]), headers);
    expect(model.requests[0]?.headers).toMatchObject({
      authorization: "Bearer …1234",
      "x-api-key": "…5678",
      "x-other": "plain",
    });
    expect(JSON.stringify(model.requests)).not.toContain("secret");
  });

  test("can be waited for, whether the request has come or not", async () => {
    await start([say("one")]);
    const coming = model.waitForRequest(({ messages }) => messages[0]?.text === "a");
    await send("a");
    expect((await coming).index).toBe(0);
    expect((await model.waitForRequest()).index).toBe(0);
  });

  test("says so when nothing comes", async () => {
    await start([say("one")]);
    await expect(model.waitForRequest(() => false, { timeoutMs: 5 })).rejects.toThrow("within 5 ms");
    const waiting = model.waitForRequest(() => false);
    await Promise.all([expect(waiting).rejects.toThrow("closed"), model.close()]);
  });
});

describe("the server", () => {
  test("speaks all dialects at once", async () => {
    await start([say("one")]);
    const user = { role: "user", content: "a" };
    const replies = await Promise.all([
      send("a"),
      ask(`${model.openaiUrl}/responses`, { model: "m", stream: true, input: "a" }),
      ask(`${model.openaiUrl}/chat/completions`, { model: "m", stream: true, messages: [user] }),
      ask(`${model.geminiUrl}/v1beta/models/m:streamGenerateContent?alt=sse`, {
        contents: [{ role: "user", parts: [{ text: "a" }] }],
      }),
    ]);
    expect(replies.map((reply) => reply.text.includes('"one"'))).toEqual([true, true, true, true]);
    expect(model.requests.map(({ dialect }) => dialect).sort()).toEqual(["anthropic", "chat", "gemini", "responses"]);
  });

  test("takes packed requests", async () => {
    await start([say("one")]);
    const body = gzipSync(JSON.stringify(messagesRequest(["packed"])));
    const headers = { "content-encoding": "gzip" };
    await (await fetch(`${model.url}/v1/messages`, { method: "POST", body, headers })).text();
    expect(model.requests[0]?.messages[0]?.text).toBe("packed");
  });

  test("answers 404 to what it does not know, without a record", async () => {
    await start([say("one")]);
    expect((await fetch(`${model.url}/v2/other`)).status).toBe(404);
    expect(model.requests).toEqual([]);
    model.verify();
  });

  test("reports a body that is no JSON", async () => {
    await start([say("one")]);
    await expect(fetch(`${model.url}/v1/messages`, { method: "POST", body: "{" })).rejects.toThrow("fetch failed");
    expect(() => model.verify()).toThrow("failed at /v1/messages");
  });

  test("refuses WebSockets in a way that makes clients use HTTP", async () => {
    await start([say("one")]);
    const socket = connect(Number(new URL(model.url).port), "127.0.0.1");
    socket.write("GET /v1/responses HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
    expect(await text(socket)).toContain("426 Upgrade Required");
  });

  test("closes twice without complaint", async () => {
    await start([say("one")]);
    await model.close();
    await model.close();
    await expect(send("a")).rejects.toThrow("fetch failed");
  });

  test("does not start with a wrong script", async () => {
    await start([say("one")]);
    await expect(startModel({ script: [{ txet: "a" } as never] })).rejects.toThrow('[0]: Unrecognized key: "txet"');
  });
});
