/** Feared: a body that decodes to other bytes, a stream held back until its end, work for a client that is gone. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { gzipInto } from "@sandbox-agent-ts/server/api";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

const remote = { "x-forwarded-for": "192.0.2.1" };
const gzip = { ...remote, "accept-encoding": "gzip, deflate, br" };

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** As sent, not decoded. */
  readonly bytes: Buffer;
}

async function ask(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const [response] = (await once(request(url, { method, headers }).end(), "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

async function withSessions() {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "file"), "x".repeat(5000));
  for (let index = 0; index < 20; index++) writeFileSync(join(directory, `entry-${index}`), "");
  const daemon = await startTestDaemon();
  for (const id of ["s", "t", "u", "empty"]) await daemon.client.create(id, { directory });
  await daemon.client.turn("s", "markdown");
  return daemon;
}

describe("for a remote client that accepts gzip", () => {
  test.each([
    "/openapi.json",
    "/v1/agents",
    "/v1/sessions",
    "/v1/sessions/s/events",
    "/v1/sessions/s/events?limit=10",
    "/v1/fs/entries?sessionId=s",
  ])("%s decodes to the same bytes", async (path) => {
    const { url } = await withSessions();
    const plain = await ask(url + path, remote);
    const compressed = await ask(url + path, gzip);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(compressed.headers).toMatchObject({ "content-encoding": "gzip", "content-type": "application/json" });
    for (const { status, headers } of [plain, compressed])
      expect([status, headers.vary]).toEqual([200, "Accept-Encoding"]);
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length);
    expect(gunzipSync(compressed.bytes).equals(plain.bytes)).toBe(true);
  });

  test.each(["/", "/v1/health", "/v1/sessions/none", "/v1/sessions/s/events?limit=1", "/v1/sessions/s/events?limit=0"])(
    "%s is too small",
    async (path) => {
      const { url } = await withSessions();
      const { headers, bytes } = await ask(url + path, gzip);
      expect([headers["content-encoding"], headers.vary]).toEqual([undefined, undefined]);
      expect(() => JSON.parse(bytes.toString())).not.toThrow();
    },
  );

  test("files and streams of events are sent as they are", async () => {
    const { url, client } = await withSessions();
    const file = await ask(`${url}/v1/fs/file?sessionId=s&path=file`, gzip);
    expect([file.headers["content-encoding"], file.bytes.toString()]).toEqual([undefined, "x".repeat(5000)]);
    await client.turn("s", "end");
    const stream = await ask(`${url}/v1/sessions/s/events/sse`, gzip);
    expect(stream.headers["content-encoding"]).toBeUndefined();
    expect(stream.bytes.toString()).toContain("session.ended");
  });

  test("HEAD has no body, and the ETag of the list holds for both forms", async () => {
    const { url } = await withSessions();
    const list = `${url}/v1/sessions`;
    const { etag } = (await ask(list, gzip)).headers;
    expect((await ask(list, remote)).headers.etag).toBe(etag);
    const known = await ask(list, { ...gzip, "if-none-match": etag! });
    expect([known.status, known.headers["content-encoding"], known.bytes.length]).toEqual([304, undefined, 0]);
    for (const path of ["/v1/sessions", "/v1/sessions/s/events", "/openapi.json"]) {
      const head = await ask(url + path, gzip, "HEAD");
      expect([head.status, head.headers["content-encoding"], head.bytes.length]).toEqual([200, undefined, 0]);
    }
  });

  test("vary names the origin too where that decides", async () => {
    const origin = "http://localhost:3000";
    const { url } = await startTestDaemon({
      cors: { origins: [origin], methods: [], headers: [], credentials: false },
    });
    const { headers } = await ask(`${url}/openapi.json`, { ...gzip, origin });
    expect([headers.vary, headers["content-encoding"]]).toEqual(["Origin, Accept-Encoding", "gzip"]);
  });
});

test.each([
  ["gzip;q=0", remote],
  ["*;q=0", remote],
  ["identity", remote],
  ["br, deflate", remote],
  ["gzip", {}],
])("accept-encoding: %s with %j leaves bodies as they are", async (encoding, headers) => {
  const { url } = await withSessions();
  for (const path of ["/openapi.json", "/v1/sessions/s/events"]) {
    const answer = await ask(url + path, { ...headers, "accept-encoding": encoding });
    expect(answer.headers["content-encoding"]).toBeUndefined();
    expect(() => JSON.parse(answer.bytes.toString())).not.toThrow();
  }
});

test("fetch decodes a long log, which comes whole to a reader that takes its time", async () => {
  const { client, url } = await startTestDaemon();
  await client.create("s");
  for (let turn = 0; turn < 3; turn++) await client.turn("s", "burst 200 20000");
  const response = await fetch(`${url}/v1/sessions/s/events`, { headers: remote });
  expect(response.headers.get("content-encoding")).toBe("gzip");
  const received: Uint8Array[] = [];
  for await (const chunk of response.body!) {
    received.push(chunk);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(JSON.parse(Buffer.concat(received).toString()).events).toEqual(await client.events("s"));
});

describe("a compressed stream", () => {
  const incompressible = () => crypto.getRandomValues(Buffer.alloc(64 * 1024));

  async function open() {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, "listening");
    const sending = request({ port: (server.address() as AddressInfo).port }).end();
    const [, response] = (await once(server, "request")) as [IncomingMessage, ServerResponse];
    const answered = once(sending, "response") as Promise<[IncomingMessage]>;
    return { body: gzipInto(response), answered };
  }

  test("reaches the client before it ends", async () => {
    const { body, answered } = await open();
    const parts = [incompressible(), incompressible(), incompressible()];
    for (const part of parts) body.write(part);
    const [response] = await answered;
    const received: Buffer[] = [];
    for await (const chunk of response) {
      if (received.length === 0) expect(body.writableEnded).toBe(false);
      received.push(chunk as Buffer);
      body.end();
    }
    const bytes = Buffer.concat(received);
    expect(gunzipSync(bytes).equals(Buffer.concat(parts))).toBe(true);
  });

  test("is destroyed when the client disconnects", async () => {
    const { body, answered } = await open();
    body.write(incompressible());
    const [response] = await answered;
    const closed = new Promise((resolve) => body.once("close", resolve));
    response.destroy();
    await closed;
    expect([body.destroyed, body.writableFinished]).toEqual([true, false]);
  });
});
