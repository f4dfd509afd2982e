/** Feared: what comes at once: two winners, a lost message, turns that overtake each other. */
import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { codeOf, ofType, session } from "../__fixtures__/client.ts";
import { parseAnswers, sendRaw } from "../__fixtures__/raw-http.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

function turnIds(events: readonly UniversalEvent[]): string[] {
  return ofType(events, "turn.started").map(({ data }) => data.turn_id);
}

describe("parallel creates", () => {
  test("50 of the same id: one 200, 49 times 409, one session", async () => {
    const { client } = await startTestDaemon();
    const agents = ["mock", "fake"];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => client.call("POST", session("s"), { agent: agents[n % 2] })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(49);
    for (const answer of refused) {
      expect(answer.status).toBe(409);
      expect(codeOf(answer)).toBe("session_already_exists");
    }
    expect(await client.soundLog("s")).toHaveLength(1);
    expect((await client.call("GET", "/v1/sessions")).json<{ sessions: [] }>().sessions).toHaveLength(1);
  });

  test("50 of different ids: all there", async () => {
    const { client } = await startTestDaemon();
    await Promise.all(Array.from({ length: 50 }, (_, n) => client.create(`s${n}`)));
    expect((await client.call("GET", "/v1/sessions")).json<{ sessions: [] }>().sessions).toHaveLength(50);
  });

  test("creates and deletes of one id in a crowd leave a session or none, never a broken one", async () => {
    const { client } = await startTestDaemon();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        n % 3 === 0 ? client.call("DELETE", session("s")) : client.call("POST", session("s"), { agent: "mock" }),
      ),
    );
    for (const { status } of answers) expect([200, 204, 404, 409]).toContain(status);
    await client.call("DELETE", session("s"));
    await client.create("s");
    await client.turn("s", "echo x");
    await client.soundLog("s");
  });
});

describe("parallel messages", () => {
  test("32 on 32 connections: 32 turns, one at a time, each message once", async () => {
    const { client } = await startTestDaemon();
    await client.create("s");
    const reader = await client.follow("s");
    const messages = Array.from({ length: 32 }, (_, n) => `message number ${n}`);
    const ids = await Promise.all(messages.map((message) => client.message("s", message)));
    let ended = 0;
    await reader.until((event) => event.type === "turn.ended" && ++ended === 32);
    const events = await client.soundLog("s");
    expect(reader.events).toEqual(events);
    expect(turnIds(events).toSorted()).toEqual(ids.toSorted());
    const said = ofType(events, "item.completed")
      .filter(({ data }) => data.item.role === "user")
      .map(({ data }) => data.item.content[0]);
    expect(said.map((part) => part?.type === "text" && part.text).toSorted()).toEqual(messages.toSorted());
  });

  test("32 in a row on one connection: turns in order of arrival, acknowledged in that order", async () => {
    const { client, url } = await startTestDaemon();
    await client.create("s");
    const requests = Array.from({ length: 32 }, (_, n) => {
      const body = JSON.stringify({ message: `echo ${n} ${"x".repeat((n % 5) * 20_000)}` });
      const close = n === 31 ? "connection: close\r\n" : "";
      return (
        "POST /v1/sessions/s/messages HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n" +
        `content-length: ${body.length}\r\n${close}\r\n${body}`
      );
    });
    const answers = parseAnswers(await sendRaw(url, requests.join("")));
    expect(answers.map(({ status }) => status)).toEqual(new Array(32).fill(202));
    const ids = answers.map(({ body }) => JSON.parse(body).turnId);
    const reader = await client.follow("s");
    await reader.until((event) => event.type === "turn.ended" && event.data.turn_id === ids[31]);
    const events = await client.soundLog("s");
    expect(turnIds(events)).toEqual(ids);
    const firstWords = ofType(events, "item.completed")
      .filter(({ data }) => data.item.role === "user")
      .map(({ data }) => (data.item.content[0]?.type === "text" ? data.item.content[0].text.split(" ")[1] : ""));
    expect(firstWords).toEqual(Array.from({ length: 32 }, (_, n) => String(n)));
  });

  test("sessions do not wait for each other", async () => {
    const { client } = await startTestDaemon();
    await client.create("waiting");
    await client.create("other");
    await client.message("waiting", "permission");
    const events = await client.turn("other", "echo x");
    expect(events.at(-1)?.type).toBe("turn.ended");
    expect(["running", "waiting"]).toContain((await client.info("waiting")).status);
  });
});

describe("a full queue", () => {
  test("refuses with 429 and says when to come back; what it took runs, what it refused does not", async () => {
    const { client } = await startTestDaemon();
    await client.create("s");
    const reader = await client.follow("s");
    await client.message("s", "permission");
    const requested = (await reader.until((event) => event.type === "permission.requested")).at(-1);
    const answers = await Promise.all(Array.from({ length: 110 }, (_, n) => client.send("s", `echo ${n}`)));
    const refused = answers.filter(({ status }) => status !== 202);
    expect(refused).toHaveLength(10);
    for (const answer of refused) {
      expect(answer.status).toBe(429);
      expect(codeOf(answer)).toBe("too_many_requests");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await client.send("s", "one more", { "idempotency-key": "k" })).status).toBe(429);
    const id = requested?.type === "permission.requested" ? requested.data.permission_id : "";
    await client.call("POST", `${session("s")}/permissions/${id}/reply`, { reply: "once" });
    let ended = 0;
    await reader.until((event) => event.type === "turn.ended" && ++ended === 101);
    expect((await client.send("s", "one more", { "idempotency-key": "k" })).status).toBe(202);
    ended = 0;
    await reader.until((event) => event.type === "turn.ended" && ++ended === 102);
    expect(turnIds(await client.soundLog("s"))).toHaveLength(102);
  });
});
