/** Feared: a browser page that may not read the API but can, and one that may but cannot. */

import type { CorsOptions } from "@sandbox-agent-ts/server";
import { expect, test } from "vitest";
import { askRaw } from "../__fixtures__/raw-http.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { testToken } from "../__fixtures__/test-options.ts";

const site = "https://site.example";
const auth = `authorization: Bearer ${testToken}`;
const nothing: CorsOptions = { origins: [], methods: [], headers: [], credentials: false };

async function start(cors: Partial<CorsOptions>) {
  const { url } = await startTestDaemon({ token: testToken, cors: { ...nothing, ...cors } });
  const ask = (origin: string, ...lines: string[]) =>
    askRaw(url, ["GET /v1/sessions HTTP/1.1", "host: x", `origin: ${origin}`, ...lines]);
  const preflight = (origin: string, ...lines: string[]) =>
    askRaw(url, [
      "OPTIONS /v1/sessions/s HTTP/1.1",
      "host: x",
      `origin: ${origin}`,
      "access-control-request-method: POST",
      ...lines,
    ]);
  return { ask, preflight };
}

const corsHeaders = (headers: object) => Object.keys(headers).filter((name) => name.startsWith("access-control-"));

test("by default no page may read anything", async () => {
  const { ask, preflight } = await start({});
  expect(corsHeaders((await ask(site, auth)).headers)).toEqual([]);
  const answer = await preflight(site);
  expect(answer.status).toBe(401);
  expect(corsHeaders(answer.headers)).toEqual([]);
});

test("an allowed origin may, others may not", async () => {
  const { ask, preflight } = await start({ origins: [site, "https://two.example"] });
  for (const origin of [site, "https://two.example"]) {
    const { headers } = await ask(origin, auth);
    expect(headers).toMatchObject({ "access-control-allow-origin": origin, vary: "Origin" });
    expect((await preflight(origin)).headers["access-control-allow-origin"]).toBe(origin);
  }
  for (const origin of ["https://site.example.evil.example", "http://site.example", "null"]) {
    const { headers } = await ask(origin, auth);
    expect(corsHeaders(headers)).toEqual([]);
    expect(headers.vary).toBe("Origin");
    expect(corsHeaders((await preflight(origin)).headers)).toEqual([]);
  }
});

test("a preflight needs no token and answers what was asked, unless it was said", async () => {
  const asked = "access-control-request-headers: authorization, x-mine";
  const open = await (await start({ origins: [site] })).preflight(site, asked);
  expect(open.status).toBe(204);
  expect(open.body).toBe("");
  expect(open.headers).toMatchObject({
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": "authorization, x-mine",
  });
  const narrow = await start({ origins: [site], methods: ["GET", "PATCH"], headers: ["x-only"] });
  expect((await narrow.preflight(site, asked)).headers).toMatchObject({
    "access-control-allow-methods": "GET, PATCH",
    "access-control-allow-headers": "x-only",
  });
});

test("a preflight opens no door: the request itself still needs the token", async () => {
  const { ask, preflight } = await start({ origins: ["*"] });
  expect((await preflight(site)).status).toBe(204);
  const refused = await ask(site);
  expect(refused.status).toBe(401);
  expect(refused.headers["access-control-allow-origin"]).toBe("*");
});

test("with credentials the origin is named, never the star", async () => {
  const { ask } = await start({ origins: ["*"], credentials: true });
  expect((await ask(site, auth)).headers).toMatchObject({
    "access-control-allow-origin": site,
    "access-control-allow-credentials": "true",
  });
});

test("streams and errors carry the headers too", async () => {
  const { url, client } = await startTestDaemon({ token: testToken, cors: { ...nothing, origins: [site] } });
  await client.create("s");
  await client.turn("s", "end");
  for (const path of [
    "/v1/sessions/s/events/sse",
    "/v1/sessions/s/events",
    "/v1/sessions/none",
    "/v1/fs/entries?path=%00",
  ]) {
    const { headers } = await askRaw(url, [`GET ${path} HTTP/1.1`, "host: x", `origin: ${site}`, auth]);
    expect(headers["access-control-allow-origin"], path).toBe(site);
  }
});

test("every combination starts and answers", async () => {
  const flags = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
  for (const n of flags) {
    const { ask } = await start({
      origins: n & 1 ? ["*"] : [],
      methods: n & 2 ? ["GET"] : [],
      headers: n & 4 ? ["x"] : [],
      credentials: (n & 8) !== 0,
    });
    const { status, headers } = await ask(site, auth);
    expect(status).toBe(200);
    expect(headers["access-control-allow-origin"]).toBe(n & 1 ? (n & 8 ? site : "*") : undefined);
  }
});
