import { type IncomingMessage, request } from "node:http";
import { ProblemDetails, SandboxError } from "@sandbox-agent-ts/protocol";
import { readJson, readQuery } from "@sandbox-agent-ts/server/api";
import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { serveLive } from "../files/__fixtures__/live-server.ts";

const Body = z.object({ name: z.string(), nested: z.object({ list: z.array(z.number()) }).optional() });
const Query = z.object({ includeRaw: z.string().optional(), limit: z.string().optional() });
const maxBytes = 100;

const app = new Hono();
app.get("/query", (c) => c.json(readQuery(c, Query)));
app.post("/body", async (c) => c.json(await readJson(c, Body, { maxBytes })));
app.post("/optional", async (c) => c.json(await readJson(c, Body.partial(), { maxBytes, optional: true })));
app.onError((error, c) => {
  if (!(error instanceof SandboxError)) throw error;
  return c.json(error.toProblem(), error.status as ContentfulStatusCode);
});

async function problem(response: Response | Promise<Response>) {
  return ProblemDetails.parse(await (await response).json());
}

function post(body: RequestInit["body"], type: string | null = "application/json", path = "/body") {
  return app.request(path, {
    method: "POST",
    body: body ?? null,
    headers: type === null ? {} : { "content-type": type },
    ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
  });
}

describe("a query", () => {
  test.each([
    ["?includeRaw=1", { includeRaw: "1" }],
    ["?include_raw=1", { includeRaw: "1" }],
    ["?include_raw=1&includeRaw=2", { includeRaw: "2" }],
    ["?includeRaw=2&include_raw=1", { includeRaw: "1" }],
    ["?limit=1&limit=2", { limit: "2" }],
    ["?limit=%zz&__proto__=x&unknown=y", { limit: "%zz" }],
    ["", {}],
  ])("%s", async (query, expected) => {
    expect(await (await app.request(`/query${query}`)).json()).toEqual(expected);
  });

  test("of the wrong shape names the issue", async () => {
    const strict = new Hono().onError((error) => Promise.reject(error));
    strict.get("/", (c) => c.json(readQuery(c, z.object({ path: z.string() }))));
    await expect(strict.request("/")).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining('The request query is wrong at "path": '),
      details: { issues: [{ path: "path", message: expect.any(String) }] },
    });
  });
});

describe("a JSON body", () => {
  test.each(["application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"])(
    "is accepted as %s",
    async (type) => {
      expect(await (await post('{"name":"ü","more":1}', type)).json()).toEqual({ name: "ü" });
    },
  );

  test.each([null, "text/plain", "application/jsonp", "text/json+xml"])("is refused as %s", async (type) => {
    const body = new Blob(['{"name":"x"}']);
    expect((await post(body, type)).status).toBe(415);
  });

  test("of the wrong shape lists every issue by its path", async () => {
    const { status, detail, details } = await problem(post('{"nested":{"list":[1,"2"]}}'));
    expect(status).toBe(400);
    expect(detail).toMatch(/^The request body is wrong at "name": /);
    const { issues } = details as { issues: { path: string }[] };
    expect(issues.map(({ path }) => path)).toEqual(["name", "nested.list.1"]);
  });

  test.each([
    ["cut", '{"name":'],
    ["not UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
    ["blank", " "],
    ["empty", ""],
  ])("that is %s is an invalid request", async (_, body) => {
    const { type, details } = await problem(post(body));
    expect(type).toMatch(/:invalid_request$/);
    expect(details).toMatchObject({ issues: [{ path: "", message: expect.any(String) }] });
  });

  test("that ends amidst a character leaves nothing for the next one", async () => {
    expect((await post(new Uint8Array([0x22, 0xc3]))).status).toBe(400);
    expect(await (await post('{"name":"ü"}')).json()).toEqual({ name: "ü" });
  });

  test("may be left away, content type and all, where it is optional", async () => {
    for (const type of [null, "application/json", "text/plain"]) {
      const response = await app.request("/optional", {
        method: "POST",
        headers: type === null ? {} : { "content-type": type },
      });
      expect(await response.json()).toEqual({});
    }
    expect((await post("{}", "text/plain", "/optional")).status).toBe(415);
  });

  test("may be exactly as large as allowed", async () => {
    const fits = JSON.stringify({ name: "x".repeat(maxBytes - '{"name":""}'.length) });
    expect(fits).toHaveLength(maxBytes);
    expect((await post(fits)).status).toBe(200);
    expect((await post(`${fits} `)).status).toBe(413);
  });

  test("that is too large is not read to its end", async () => {
    let pulls = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulls++;
        controller.enqueue(new Uint8Array(64));
      },
    });
    expect(await problem(post(endless))).toMatchObject({ status: 413, detail: expect.stringContaining("100 bytes") });
    expect(pulls).toBeLessThan(5);
  });

  test("that breaks off is an invalid request", async () => {
    const torn = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
    expect((await problem(post(torn))).detail).toMatch("broke off");
  });
});

describe("over a socket, a sender that is not done yet gets its answer", () => {
  test.each<[string, Record<string, string>, number]>([
    ["413 by the announced length", { "content-type": "application/json", "content-length": "5000" }, 413],
    ["413 by what arrived", { "content-type": "application/json" }, 413],
    ["415", { "content-type": "text/plain" }, 415],
  ])("%s", async (_, headers, expected) => {
    const live = await serveLive(app);
    const sending = request(`${live.url}/body`, { method: "POST", headers });
    const answer = new Promise<IncomingMessage>((resolve, reject) =>
      sending.on("response", resolve).on("error", reject),
    );
    sending.write("x".repeat(200));
    expect((await answer).statusCode).toBe(expected);
    sending.on("error", () => undefined).destroy();
    await live.close();
  });
});
