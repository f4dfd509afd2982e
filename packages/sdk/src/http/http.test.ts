import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, test } from "vitest";
import { bodyOf, listen, respondJson, respondProblem } from "../__fixtures__/scripted-server.ts";
import { SandboxAgent } from "../client.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answers everything with the same and keeps what was asked. */
async function echo(status = 200, body: unknown = {}) {
  const seen: Seen[] = [];
  const baseUrl = await listen(async (request, response) => {
    seen.push({ method: request.method, url: request.url, headers: request.headers, body: await bodyOf(request) });
    if (status === 204) response.writeHead(204).end();
    else respondJson(response, status, body);
  });
  return { baseUrl, seen };
}

describe("a request", () => {
  test("carries token, own headers, encoded ids and query", async () => {
    const { baseUrl, seen } = await echo();
    const client = await SandboxAgent.connect({ baseUrl: `${baseUrl}/`, token: "T", headers: { "x-mine": "1" } });
    await client.getEvents("a/b c", { offset: 3, includeRaw: true });
    expect(seen[0]).toMatchObject({
      method: "GET",
      url: "/v1/sessions/a%2Fb%20c/events?offset=3&includeRaw=true",
      headers: { authorization: "Bearer T", "x-mine": "1", accept: "application/json" },
    });
  });

  test("sends JSON, and nothing where there is nothing to send", async () => {
    const { baseUrl, seen } = await echo(204);
    const client = await SandboxAgent.connect({ baseUrl });
    await client.replyPermission("s", "p", { reply: "once" });
    await client.interruptSession("s");
    expect(seen[0]).toMatchObject({ body: '{"reply":"once"}', headers: { "content-type": "application/json" } });
    expect(seen[1]).toMatchObject({ url: "/v1/sessions/s/interrupt", body: "" });
    expect(seen[1]?.headers["content-type"]).toBeUndefined();
  });

  test("streams a file body", async () => {
    const { baseUrl, seen } = await echo(200, { path: "f", bytesWritten: 6 });
    const client = await SandboxAgent.connect({ baseUrl });
    const body = new Blob(["abc", "def"]).stream();
    expect(await client.writeFsFile({ path: "f", sessionId: "s" }, body)).toEqual({ path: "f", bytesWritten: 6 });
    expect(seen[0]).toMatchObject({
      method: "PUT",
      url: "/v1/fs/file?path=f&sessionId=s",
      body: "abcdef",
      headers: { "content-type": "application/octet-stream" },
    });
  });

  test("goes through the given fetch", async () => {
    const urls: string[] = [];
    const client = await SandboxAgent.connect({
      baseUrl: "http://nowhere.invalid",
      fetch: async (input) => {
        urls.push(String(input));
        return Response.json({ status: "ok" });
      },
    });
    expect(await client.getHealth()).toEqual({ status: "ok" });
    expect(urls).toEqual(["http://nowhere.invalid/v1/health"]);
  });

  test.each(["", ".", ".."])(
    "an id %j that would address another route is refused before anything is sent",
    async (id) => {
      const { baseUrl, seen } = await echo(204);
      const client = await SandboxAgent.connect({ baseUrl });
      expect(() => client.deleteSession(id)).toThrow(SandboxAgentError);
      expect(await failureOf(client.streamEvents(id).next())).toMatchObject({ code: "invalid_request" });
      expect(seen).toEqual([]);
    },
  );
});

describe("an answer that is no success", () => {
  test("becomes an error with status, problem, code and response", async () => {
    const problem = { type: "urn:sandbox-agent:error:session_not_found", title: "Session not found", status: 404 };
    const { baseUrl } = await echo(404, { ...problem, detail: "There is no session s.", sessionId: "s" });
    const failure = await failureOf((await SandboxAgent.connect({ baseUrl })).getSession("s"));
    expect(failure).toBeInstanceOf(SandboxAgentError);
    expect(failure).toMatchObject({
      status: 404,
      code: "session_not_found",
      message: "There is no session s.",
      problem: { ...problem, sessionId: "s" },
    });
    expect((failure as SandboxAgentError).response?.status).toBe(404);
  });

  test.each([["<html>no</html>"], ['"text"'], ["null"], ['{"error":1}'], [""]])(
    "with the body %j is still an error with its status",
    async (body) => {
      const baseUrl = await listen((_, response) => response.writeHead(418).end(body));
      const failure = await failureOf((await SandboxAgent.connect({ baseUrl })).listSessions());
      expect(failure).toMatchObject({
        status: 418,
        problem: undefined,
        message: "The server answered with status 418.",
      });
    },
  );

  test("a success that is not JSON is an error that says so", async () => {
    const baseUrl = await listen((_, response) => response.writeHead(200).end("<html>"));
    const failure = await failureOf((await SandboxAgent.connect({ baseUrl })).listSessions());
    expect(failure).toMatchObject({ status: 200, message: expect.stringContaining("not JSON") });
  });

  test("nobody there: status 0 and the reason", async () => {
    const client = await SandboxAgent.connect({ baseUrl: "http://127.0.0.1:1", retries: 0 });
    const failure = await failureOf(client.getHealth());
    expect(failure).toMatchObject({ status: 0, message: expect.stringMatching(/GET \/v1\/health failed: .+/) });
  });
});

describe("time", () => {
  test("a call that is not answered ends with an error", async () => {
    const baseUrl = await listen(() => {});
    const client = await SandboxAgent.connect({ baseUrl, timeoutMs: 50 });
    expect(await failureOf(client.listSessions())).toMatchObject({
      status: 0,
      message: expect.stringContaining("50 ms"),
    });
  });

  test("so does one whose body stops half-way, and one whose fetch does not listen to signals", async () => {
    const baseUrl = await listen((_, response) => void response.writeHead(200).write('{"sessions":'));
    const client = await SandboxAgent.connect({ baseUrl, timeoutMs: 50 });
    expect(await failureOf(client.listSessions())).toMatchObject({ status: 0 });
    const deaf = await SandboxAgent.connect({ baseUrl, timeoutMs: 50, fetch: () => new Promise(() => {}) });
    expect(await failureOf(deaf.listSessions())).toMatchObject({ status: 0 });
  });

  test("the retries are inside of it", async () => {
    const baseUrl = await listen((_, response) => respondProblem(response, 503, "internal_error", "Starting."));
    const client = await SandboxAgent.connect({ baseUrl, timeoutMs: 50, retries: 1_000 });
    expect(await failureOf(client.listSessions())).toMatchObject({ message: expect.stringContaining("50 ms") });
  });

  test("a caller's signal rejects with its reason and closes the connection", async () => {
    const abort = new AbortController();
    let closed: Promise<unknown> | undefined;
    const baseUrl = await listen((_, response) => {
      closed = once(response, "close");
      abort.abort(new Error("enough"));
    });
    const client = await SandboxAgent.connect({ baseUrl });
    const call = client.postMessage("s", { message: "hi" }, { signal: abort.signal });
    await expect(call).rejects.toThrow("enough");
    await closed;
  });
});
