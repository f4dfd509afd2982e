import { describe, expect, test } from "vitest";
import {
  bodyOf,
  delta,
  frame,
  listen,
  offsetOf,
  openSse,
  respondProblem,
  sequences,
  sessionEnded,
  turnEnded,
  turnStarted,
} from "../__fixtures__/scripted-server.ts";
import { SandboxAgent } from "../client.ts";

const reconnect = { baseMs: 1, maxMs: 5, retries: 3 };
const message = { message: "hello" };

/** Another turn before and one after ours, which is 3…7. */
const log = [
  turnStarted(1, "before"),
  turnEnded(2, "before"),
  turnStarted(3, "ours"),
  delta(4),
  delta(5),
  delta(6),
  turnEnded(7, "ours"),
  turnStarted(8, "after"),
  turnEnded(9, "after"),
];

/** Serves the log; the first answer to the message stops after `events` of our turn. */
async function serveTurn(events: number) {
  const posts: { key: string | undefined; body: string }[] = [];
  const resumes: number[] = [];
  const baseUrl = await listen(async (request, response) => {
    if (request.method === "POST") {
      posts.push({ key: request.headers["idempotency-key"]?.toString(), body: await bodyOf(request) });
      openSse(response);
      const sent = log.slice(2, posts.length === 1 ? 2 + events : 7);
      response.write(`: hello\n\n${sent.map(frame).join("")}`, () => posts.length === 1 && response.destroy());
      if (posts.length > 1) response.end();
      return;
    }
    resumes.push(offsetOf(request));
    openSse(response);
    response.write(log.slice(offsetOf(request)).map(frame).join(""));
  });
  return { client: await SandboxAgent.connect({ baseUrl, reconnect }), posts, resumes };
}

describe("streamTurn", () => {
  test.each([1, 2, 3, 4])("reads the turn on from the log when it is cut after %i events", async (events) => {
    const { client, posts, resumes } = await serveTurn(events);
    expect(await sequences(client.streamTurn("s", message))).toEqual([3, 4, 5, 6, 7]);
    expect(posts).toHaveLength(1);
    expect(resumes).toEqual([2 + events]);
  });

  test("sends the message again with the same key when it was cut before any event", async () => {
    const { client, posts, resumes } = await serveTurn(0);
    expect(await sequences(client.streamTurn("s", message))).toEqual([3, 4, 5, 6, 7]);
    expect(posts).toHaveLength(2);
    expect(posts[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(posts[1]).toEqual(posts[0]);
    expect(resumes).toEqual([]);
  });

  test("each turn has a key of its own", async () => {
    const { client, posts } = await serveTurn(5);
    await sequences(client.streamTurn("s", message));
    await sequences(client.streamTurn("s", message));
    expect(new Set(posts.map(({ key }) => key)).size).toBe(2);
  });

  test("takes a key, or a signal where 0.1.11 took one, or both", async () => {
    const { client, posts } = await serveTurn(0);
    const { signal } = new AbortController();
    await sequences(client.streamTurn("s", message, {}, { idempotencyKey: "mine" }));
    await sequences(client.streamTurn("s", message, {}, { idempotencyKey: "ours", signal }));
    await sequences(client.streamTurn("s", message, {}, signal));
    const own = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(posts.map(({ key }) => key)).toEqual(["mine", "mine", "ours", own]);
  });

  test.each([
    ["a signal", (signal: AbortSignal) => signal],
    ["options", (signal: AbortSignal) => ({ signal })],
  ])("stops when the signal given as %s fires", async (_, options) => {
    const { client } = await serveTurn(5);
    const abort = new AbortController();
    const seen: number[] = [];
    for await (const event of client.streamTurn("s", message, {}, options(abort.signal))) {
      seen.push(event.sequence);
      abort.abort();
    }
    expect(seen).toEqual([3]);
  });

  test("ends with the session", async () => {
    const baseUrl = await listen((_, response) => {
      openSse(response);
      response.write([turnStarted(1, "ours"), sessionEnded(2)].map(frame).join(""));
    });
    const client = await SandboxAgent.connect({ baseUrl });
    expect(await sequences(client.streamTurn("s", message))).toEqual([1, 2]);
  });

  test("a message that is refused is not sent again", async () => {
    let requests = 0;
    const baseUrl = await listen((_, response) => {
      requests += 1;
      respondProblem(response, 409, "session_ended", "The session has ended.");
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect });
    await expect(sequences(client.streamTurn("s", message))).rejects.toMatchObject({ code: "session_ended" });
    expect(requests).toBe(1);
  });
});
