/** Feared: an answer that is no problem body, because the request was so broken that no route ever saw it. */
import { ProblemDetails } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { askRaw, parseAnswer, type RawAnswer, sendRaw } from "../__fixtures__/raw-http.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

function expectProblem(answer: RawAnswer, status: number): void {
  expect(answer.status, answer.body).toBe(status);
  expect(answer.headers["content-type"]).toBe("application/problem+json");
  expect(ProblemDetails.parse(JSON.parse(answer.body)).status).toBe(status);
}

const host = "host: localhost";

describe("what is not HTTP", () => {
  test.each([
    ["a line of garbage", "hello?\r\n\r\n"],
    ["a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n"],
    ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["TLS", Buffer.from("16030100c8010000c40303", "hex")],
    ["no path", "GET\r\n\r\n"],
    ["a space in the path", "GET /v1/a b HTTP/1.1\r\nhost: localhost\r\n\r\n"],
    ["an unknown method", "BREW / HTTP/1.1\r\nhost: localhost\r\n\r\n"],
    ["an unknown version", "GET / HTTP/9.9\r\nhost: localhost\r\n\r\n"],
    ["a header without a name", "GET / HTTP/1.1\r\nhost: localhost\r\n: x\r\n\r\n"],
    [
      "two lengths",
      "POST /v1/sessions/s HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx",
    ],
    [
      "a length and chunks",
      "POST /v1/sessions/s HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a header that is too long", `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${"x".repeat(100_000)}\r\n\r\n`],
    ["a path that is too long", `GET /${"x".repeat(100_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`],
    ["too many headers", `GET / HTTP/1.1\r\nhost: localhost\r\n${"x: y\r\n".repeat(20_000)}\r\n`],
  ])("%s", async (_what, bytes) => {
    const { url } = await startTestDaemon();
    const answer = parseAnswer(await sendRaw(url, bytes));
    expectProblem(answer, 400);
  });

  test("no host", async () => {
    const { url } = await startTestDaemon();
    expectProblem(await askRaw(url, ["GET /v1/sessions HTTP/1.1"]), 400);
  });

  test("a host that is none", async () => {
    const { url } = await startTestDaemon({ token: "t" });
    const answer = await askRaw(url, ["GET /v1/sessions HTTP/1.1", "host: a b%", "authorization: Bearer t"]);
    expectProblem(answer, 400);
  });

  test("a body that is shorter than it says", async () => {
    const { url, client } = await startTestDaemon();
    const answer = await sendRaw(
      url,
      `POST /v1/sessions/s HTTP/1.1\r\n${host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
    );
    expectProblem(parseAnswer(answer), 400);
    expect((await client.call("GET", "/v1/sessions/s")).status).toBe(404);
  });
});

describe("HTTP that is rarely spoken", () => {
  test.each([
    ["TRACE /v1/sessions HTTP/1.1", 405],
    ["OPTIONS /v1/sessions HTTP/1.1", 405],
    ["PATCH /v1/sessions HTTP/1.1", 405],
    ["DELETE /v1/health HTTP/1.1", 405],
    ["PROPFIND /nowhere HTTP/1.1", 404],
    ["OPTIONS * HTTP/1.1", 400],
    ["GET /v1/sessions/%ff HTTP/1.1", 404],
    ["GET /v1/sessions/%00 HTTP/1.1", 404],
    ["GET /v1/sessions/%zz HTTP/1.1", 404],
    ["GET /v1/sessions/ HTTP/1.1", 404],
    ["GET //////v1 HTTP/1.1", 404],
    ["GET /v1/sessions/s/events?offset=%ff HTTP/1.1", 404],
  ])("%s → %i", async (line, status) => {
    const { url } = await startTestDaemon();
    expectProblem(await askRaw(url, [line, host]), status);
  });

  test("405 says what is allowed", async () => {
    const { url } = await startTestDaemon();
    expect((await askRaw(url, ["PUT /v1/sessions/s HTTP/1.1", host])).headers.allow).toBe("POST, GET, PATCH, DELETE");
  });

  test("an expectation that nobody knows is passed over", async () => {
    const { url } = await startTestDaemon();
    const answer = await askRaw(url, ["GET /v1/sessions HTTP/1.1", host, "expect: miracles"]);
    expect(answer.status).toBe(200);
  });

  test("an upgrade that nobody offers is an ordinary request", async () => {
    const { url } = await startTestDaemon();
    const upgrade = ["upgrade: websocket", "sec-websocket-key: x"];
    const text = await sendRaw(
      url,
      `GET /v1/sessions HTTP/1.1\r\n${host}\r\n${upgrade.join("\r\n")}\r\nconnection: upgrade, close\r\n\r\n`,
    );
    expect(parseAnswer(text).status).toBe(200);
  });

  test("HTTP/1.0", async () => {
    const { url } = await startTestDaemon();
    expect((await askRaw(url, ["GET /v1/sessions HTTP/1.0", host])).status).toBe(200);
  });
});
