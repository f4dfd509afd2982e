/** Feared: a body that is too large, of another kind, or wrong in one field, and that does something all the same. */

import { maxJsonBytes, maxMessageBytes } from "@sandbox-agent-ts/server/api";
import { describe, expect, test } from "vitest";
import { codeOf, session } from "../__fixtures__/client.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

const json = { "content-type": "application/json" };

function post(
  url: string,
  path: string,
  body: string | Buffer | ReadableStream,
  headers: Record<string, string> = json,
) {
  return fetch(`${url}${path}`, { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

describe("the kind of a body", () => {
  test.each([
    ["application/json", 202],
    ["application/json; charset=utf-8", 202],
    ["Application/JSON", 202],
    ["application/vnd.mine+json", 202],
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["multipart/form-data; boundary=x", 415],
    ["application/jsonx", 415],
    ["", 415],
  ])("%s → %i", async (type, status) => {
    const { url, client } = await startTestDaemon();
    await client.create("s");
    const body = Buffer.from('{"message":"echo x"}');
    expect((await post(url, `${session("s")}/messages`, body, { "content-type": type })).status).toBe(status);
  });
});

describe("the size of a body", () => {
  const message = (bytes: number) => JSON.stringify({ message: "x".repeat(bytes - '{"message":""}'.length) });

  test("a message as large as is allowed is taken whole", async () => {
    const { url, client } = await startTestDaemon();
    await client.create("s");
    const answer = await post(url, `${session("s")}/messages`, message(maxJsonBytes));
    expect(answer.status).toBe(202);
    const reader = await client.follow("s");
    const events = await reader.until((event) => event.type === "turn.ended");
    const [user] = events.flatMap((event) => (event.type === "item.completed" ? [event.data.item] : []));
    expect(user?.content).toEqual([{ type: "text", text: JSON.parse(message(maxJsonBytes)).message }]);
  });

  test("a text that is larger belongs into an attachment", async () => {
    const { url, client } = await startTestDaemon();
    await client.create("s");
    const answer = await post(url, `${session("s")}/messages`, message(maxJsonBytes + 100));
    expect(answer.status).toBe(413);
    expect(await answer.text()).toContain("attachment");
  });

  test("one byte more than a message may have is 413, whether or not the length is announced", async () => {
    const { url, client } = await startTestDaemon();
    await client.create("s");
    const text = message(maxMessageBytes + 1);
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(text));
        controller.close();
      },
    });
    for (const body of [text, stream]) {
      const answer = await post(url, `${session("s")}/messages`, body);
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({ type: "urn:sandbox-agent:error:payload_too_large" });
    }
    expect(await client.events("s")).toHaveLength(1);
  });
});

describe("what a body says", () => {
  test.each([
    ["", "missing"],
    ["{", "JSON"],
    ["nonsense", "JSON"],
    ["[]", "object"],
    ["null", "object"],
    ["7", "object"],
    ['{"message":7}', "message"],
    ['{"message":null}', "message"],
    ["{}", "message"],
    ['{"message":"x","attachments":{}}', "attachments"],
    ['{"message":"x","attachments":[{}]}', "attachments.0"],
    ['{"message":"x","attachments":[{"path":""}]}', "attachments.0"],
    [Buffer.from('{"message":"\xff"}', "latin1"), "JSON"],
  ])("message %s is refused and says where", async (body, word) => {
    const { url, client } = await startTestDaemon();
    await client.create("s");
    const answer = await post(url, `${session("s")}/messages`, body);
    expect(answer.status).toBe(400);
    const problem = (await answer.json()) as { detail: string; details: { issues: object[] } };
    expect(`${problem.detail} ${JSON.stringify(problem.details)}`).toContain(word);
    expect(problem.details.issues.length).toBeGreaterThan(0);
    expect(await client.events("s")).toHaveLength(1);
  });

  test("unknown fields are passed over, null counts as absent", async () => {
    const { client } = await startTestDaemon();
    const request = {
      agent: "mock",
      agentMode: null,
      model: null,
      directory: null,
      title: null,
      mcp: null,
      future: {},
    };
    expect((await client.call("POST", session("s"), request)).status).toBe(200);
    const sent = { message: "echo x", attachments: null, future: true };
    expect((await client.call("POST", `${session("s")}/messages`, sent)).status).toBe(202);
  });
});

describe("a query", () => {
  test.each([
    "offset=-1",
    "offset=1.5",
    "offset=x",
    "offset=",
    "offset=9999999999999999",
    "limit=-1",
    "limit=1e3",
    "includeRaw=1",
    "include_raw=yes",
  ])("%s is refused", async (query) => {
    const { client } = await startTestDaemon();
    await client.create("s");
    const answer = await client.call("GET", `${session("s")}/events?${query}`);
    expect(answer.status).toBe(400);
    expect(codeOf(answer)).toBe("invalid_request");
  });
});
