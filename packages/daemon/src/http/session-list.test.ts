/** Feared: a list that shows what was not asked for, or says that nothing changed when something did. */
import type { SessionListResponse } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { type Client, codeOf } from "../__fixtures__/client.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

async function list(client: Client, query = ""): Promise<SessionListResponse> {
  const answer = await client.call("GET", `/v1/sessions${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<SessionListResponse>();
}

const idsOf = ({ sessions }: SessionListResponse) => sessions.map(({ sessionId }) => sessionId).toSorted();

test("filters keep what fits all of them, and pages of it follow each other", async () => {
  const { client } = await startTestDaemon();
  const directory = temporaryDirectory();
  await client.create("one", { title: "Fix the Login" });
  await client.create("two", { agent: "fake", directory });
  await client.create("three", { directory });
  await client.create("over");
  await client.call("POST", "/v1/sessions/over/terminate");
  await client.message("three", "permission");
  const waiting = await client.follow("three");
  await waiting.until(({ type }) => type === "permission.requested");

  expect(idsOf(await list(client))).toEqual(["one", "over", "three", "two"]);
  expect(idsOf(await list(client, "?agent=fake"))).toEqual(["two"]);
  expect(idsOf(await list(client, "?status=waiting"))).toEqual(["three"]);
  expect(idsOf(await list(client, "?status=waiting,ended"))).toEqual(["over", "three"]);
  expect(idsOf(await list(client, "?status=waiting&status=ended"))).toEqual(["over", "three"]);
  expect(idsOf(await list(client, `?directory=${encodeURIComponent(directory)}`))).toEqual(["three", "two"]);
  expect(idsOf(await list(client, "?search=LOGIN"))).toEqual(["one"]);
  expect(idsOf(await list(client, "?search=THR&agent=mock"))).toEqual(["three"]);
  expect(await list(client, "?search=thr&agent=fake")).toEqual({ sessions: [] });

  const first = await list(client, "?agent=mock&limit=2");
  const second = await list(client, `?agent=mock&limit=2&cursor=${first.nextCursor}`);
  expect(idsOf({ sessions: [...first.sessions, ...second.sessions] })).toEqual(["one", "over", "three"]);
  expect(second.nextCursor).toBeUndefined();
});

test.each(["limit=0", "limit=1001", "limit=x", "cursor=nonsense", "status=asleep", "status=", "search="])(
  "%s is refused with a sentence",
  async (query) => {
    const { client } = await startTestDaemon();
    const answer = await client.call("GET", `/v1/sessions?${query}`);
    expect(answer.status).toBe(400);
    expect(codeOf(answer)).toBe("invalid_request");
  },
);

describe("the ETag", () => {
  test("answers 304 as long as nothing changed, also among others and weak or not", async () => {
    const { client } = await startTestDaemon();
    await client.create("s");
    const tag = (await client.call("GET", "/v1/sessions")).headers.get("etag")!;
    for (const known of [tag, tag.replace("W/", ""), `"x", ${tag}`, "*"]) {
      const answer = await client.call("GET", "/v1/sessions", undefined, { "if-none-match": known });
      expect(answer.status, known).toBe(304);
      expect(answer.text).toBe("");
      expect(answer.headers.get("etag")).toBe(tag);
    }
  });

  test("of another page or of another state does not hold", async () => {
    const { client } = await startTestDaemon();
    await client.create("s");
    const tag = (await client.call("GET", "/v1/sessions")).headers.get("etag")!;
    const status = async (query = "") =>
      (await client.call("GET", `/v1/sessions${query}`, undefined, { "if-none-match": tag })).status;
    expect(await status("?agent=fake")).toBe(200);
    await client.turn("s", "echo x");
    expect(await status()).toBe(200);
  });
});
