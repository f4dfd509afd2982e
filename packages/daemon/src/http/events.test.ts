/** Feared: a page that misses or repeats an event, says there is more when there is not, or shows what was not asked for. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { eventRecordsType } from "@sandbox-agent-ts/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { codeOf, expectSound, ofType, session } from "../__fixtures__/client.ts";
import { askRaw } from "../__fixtures__/raw-http.ts";
import { startTestDaemon, type TestDaemon } from "../__fixtures__/test-daemon.ts";

async function withLog(): Promise<TestDaemon & { head: number }> {
  const daemon = await startTestDaemon();
  await daemon.client.create("s");
  await daemon.client.turn("s", "markdown");
  return { ...daemon, head: (await daemon.client.soundLog("s")).length };
}

describe("pages", () => {
  test("any offset and limit give that part of the log, and hasMore only if the limit cut it", async () => {
    const { client, head } = await withLog();
    const all = await client.events("s");
    for (const offset of [0, 1, 2, head - 1, head, head + 1, head + 1000]) {
      for (const limit of [undefined, 0, 1, 2, head - offset, head, head + 1]) {
        if (limit !== undefined && limit < 0) continue;
        const query = `?offset=${offset}${limit === undefined ? "" : `&limit=${limit}`}`;
        const page = (await client.call("GET", `${session("s")}/events${query}`)).json();
        const through = limit === undefined ? head : offset + limit;
        expect(page, query).toEqual({ events: all.slice(offset, through), hasMore: through < head });
      }
    }
  });

  test("reading page by page gives the log", async () => {
    const { client, head } = await withLog();
    const events: object[] = [];
    for (let more = true; more; ) {
      const answer = await client.call("GET", `${session("s")}/events?offset=${events.length}&limit=7`);
      const page = answer.json<{ events: object[]; hasMore: boolean }>();
      events.push(...page.events);
      more = page.hasMore;
    }
    expect(events).toHaveLength(head);
    expect(events).toEqual(await client.events("s"));
  });
});

test("who keeps the log gets its bytes, from any offset, with the payloads beside them", async () => {
  const { client, url, head } = await withLog();
  await client.call("POST", `${session("s")}/terminate`);
  const stream = async (query: string) => {
    const response = await fetch(`${url}/v1/sessions/s/events/sse${query}`, { headers: { accept: eventRecordsType } });
    expect(response.headers.get("content-type")).toBe(eventRecordsType);
    return Buffer.from(await response.arrayBuffer()).toString();
  };
  const events = (await client.events("s")).map((event) => JSON.stringify(event));
  for (const offset of [0, 3, head]) {
    const records = await stream(`?offset=${offset}`);
    const [record] = records.trimStart().split("\n", 1) as [string];
    expect(record).toMatch(new RegExp(`^${offset + 1} [1-9]\\d* [1-9]\\d* 0$`));
    const lines = records.split("\n").filter((line) => line.startsWith("{"));
    expect(lines).toEqual(events.slice(offset));
  }
  const withRaw = (await stream("?includeRaw=true")).split("\n").filter((line) => line.startsWith('{"sequence":'));
  expect(withRaw.length).toBeGreaterThan(0);
});

test("a list larger than any buffer reaches a reader that takes its time, without anything piling up", async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error) => warnings.push(warning);
  process.on("warning", listen);
  onTestFinished(() => void process.off("warning", listen));
  const { client, url } = await startTestDaemon();
  await client.create("s");
  for (let turn = 0; turn < 3; turn++) await client.turn("s", "burst 200 20000");
  const sending = request(`${url}${session("s")}/events`).end();
  const [response] = (await once(sending, "response")) as [IncomingMessage];
  const received: Buffer[] = [];
  for await (const chunk of response) {
    received.push(chunk as Buffer);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { events } = JSON.parse(Buffer.concat(received).toString());
  expectSound(events);
  expect(events.at(-1).sequence).toBe((await client.info("s")).eventCount);
  expect(warnings).toEqual([]);
});

describe("raw payloads", () => {
  test.each(["includeRaw=true", "include_raw=true"])("come with %s, also in streams", async (query) => {
    const { client, head } = await withLog();
    const events = await client.events("s", `?${query}`);
    expectSound(events);
    expect(events.filter((event) => event.source === "agent").every((event) => event.raw !== undefined)).toBe(true);
    expect(events.filter((event) => event.source === "daemon").some((event) => event.raw)).toBe(false);
    const reader = await client.follow("s", { query: `?${query}` });
    await reader.until((event) => event.sequence === head);
    expect(reader.events).toEqual(events);
  });

  test.each(["", "?includeRaw=false", "?include_raw=false"])("do not come with %j", async (query) => {
    const { client } = await withLog();
    expect((await client.events("s", query)).some((event) => "raw" in event)).toBe(false);
  });

  test("are there for what could not be understood", async () => {
    const { client } = await startTestDaemon();
    await client.create("s", { agent: "fake" });
    await client.turn("s", "garbage");
    const [unparsed] = ofType(await client.events("s", "?includeRaw=true"), "agent.unparsed");
    expect(unparsed?.raw).toBe("this is not JSON");
  });
});

describe("resuming", () => {
  test("Last-Event-ID wins over the offset", async () => {
    const { client, head } = await withLog();
    const reader = await client.follow("s", { query: "?offset=2", lastEventId: 5 });
    const events = await reader.until((event) => event.sequence === head);
    expect(events[0]?.sequence).toBe(6);
  });

  test("an empty Last-Event-ID counts as none", async () => {
    const { client } = await withLog();
    const reader = await client.follow("s", { query: "?offset=2", headers: { "last-event-id": "" } });
    expect((await reader.until(() => true))[0]?.sequence).toBe(3);
  });

  test.each(["x", "-1", "1.5", "1 2", "99999999999999999999", "0x10", "evt_1"])(
    "Last-Event-ID %s is refused with a sentence",
    async (id) => {
      const { client } = await withLog();
      const answer = await client.call("GET", `${session("s")}/events/sse`, undefined, { "last-event-id": id });
      expect(answer.status).toBe(400);
      expect(codeOf(answer)).toBe("invalid_request");
    },
  );

  test("ahead of the log it waits for what comes behind that", async () => {
    const { client, head } = await withLog();
    const reader = await client.follow("s", { lastEventId: head + 3 });
    await client.turn("s", "echo x");
    const [first] = await reader.until(() => true);
    expect(first?.sequence).toBe(head + 4);
  });
});

describe("streams", () => {
  test("say what they are and are not to be kept or buffered", async () => {
    const { client, url } = await withLog();
    await client.turn("s", "end");
    const { headers, body } = await askRaw(url, ["GET /v1/sessions/s/events/sse HTTP/1.1", "host: localhost"]);
    expect(headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    expect(body).toContain("retry: ");
    expect(body).not.toContain("event:");
  });

  test("end after the end of the session, whenever they were opened", async () => {
    const { client } = await withLog();
    const early = await client.follow("s");
    await client.turn("s", "end");
    const late = await client.follow("s");
    expect(await early.closed).toBe("ended");
    expect(await late.closed).toBe("ended");
    expect(early.events.at(-1)?.type).toBe("session.ended");
    expect(late.events).toEqual(await client.soundLog("s"));
    expect(early.events).toEqual(late.events);
  });

  test("of an unknown session are 404", async () => {
    const { client } = await startTestDaemon();
    for (const path of ["events", "events/sse"]) {
      expect(codeOf(await client.call("GET", `${session("none")}/${path}`))).toBe("session_not_found");
    }
  });
});

describe("HEAD", () => {
  test.each([
    "/",
    "/v1/health",
    "/v1/sessions",
    "/v1/sessions/s",
    "/v1/sessions/s/events",
    "/v1/sessions/s/events/sse",
  ])("%s answers like GET, without a body, and is over", async (path) => {
    const { url } = await withLog();
    const { status, body } = await askRaw(url, [`HEAD ${path} HTTP/1.1`, "host: localhost"]);
    expect(status).toBe(200);
    expect(body).toBe("");
  });
});
