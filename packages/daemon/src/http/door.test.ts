/** Feared: a way in that is not a door: a request that reaches a route without having been let in. */
import { describe, expect, test } from "vitest";
import { Client, codeOf } from "../__fixtures__/client.ts";
import { askRaw } from "../__fixtures__/raw-http.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { testToken } from "../__fixtures__/test-options.ts";

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

describe("with a token", () => {
  test.each([
    ["authorization", `Bearer ${testToken}`],
    ["authorization", `bearer ${testToken}`],
    ["authorization", `BEARER   ${testToken}`],
    ["authorization", `Token ${testToken}`],
    ["authorization", `tOKEN ${testToken}`],
    ["authorization", basic(`:${testToken}`)],
    ["authorization", basic(`anybody:${testToken}`)],
    ["authorization", basic(`any:${testToken}`).replace("Basic", "basic")],
    ["x-sandbox-token", testToken],
  ])("%s: %s is let in", async (name, value) => {
    const { url } = await startTestDaemon({ token: testToken });
    expect((await new Client(url).call("GET", "/v1/sessions", undefined, { [name]: value })).status).toBe(200);
  });

  test.each([
    ["nothing", {}],
    ["an empty header", { authorization: "" }],
    ["the token alone", { authorization: testToken }],
    ["a scheme alone", { authorization: "Bearer" }],
    ["another token", { authorization: `Bearer ${testToken}x` }],
    ["a part of the token", { authorization: `Bearer ${testToken.slice(0, -1)}` }],
    ["another case", { authorization: `Bearer ${testToken.toUpperCase()}` }],
    ["an unknown scheme", { authorization: `Digest ${testToken}` }],
    ["the token as user", { authorization: basic(`${testToken}:`) }],
    ["Basic without a colon", { authorization: basic(testToken) }],
    ["Basic that is not base64", { authorization: "Basic ???" }],
    ["an empty own header", { "x-sandbox-token": "" }],
    ["a query", {}, `?token=${testToken}`],
  ])("%s is refused", async (_what, headers, query = "") => {
    const { url } = await startTestDaemon({ token: testToken });
    const answer = await new Client(url).call(
      "GET",
      `/v1/sessions${query}`,
      undefined,
      headers as Record<string, string>,
    );
    expect(answer.status).toBe(401);
    expect(codeOf(answer)).toBe("token_invalid");
    expect(answer.headers.get("www-authenticate")).toContain("Bearer");
    expect(answer.text).not.toContain(testToken);
  });

  test.each(["/", "/v1/health", "/v1/health?x=1"])("%s needs none", async (path) => {
    const { url } = await startTestDaemon({ token: testToken });
    expect((await new Client(url).call("GET", path)).status).toBe(200);
  });

  test.each(["/ui/", "/ui/assets/x.js"])("%s needs none", async (path) => {
    const { url } = await startTestDaemon({ token: testToken });
    expect((await new Client(url).call("GET", path)).status).toBe(404);
  });

  test.each([
    "/ui/../v1/sessions",
    "/ui/%2e%2e/v1/sessions",
    "/ui/.%2E/v1/sessions",
    "/ui/x/../../v1/sessions",
    "/ui\\..\\v1\\sessions",
    "/ui/\t../v1/sessions",
    "//v1/sessions",
    "/./v1/sessions",
    "/v1/health/../sessions",
    "/?/../v1/sessions",
    "/#/../v1/sessions",
    "/v1/sessions#/ui/",
  ])("GET %s is not a way round", async (target) => {
    const { url } = await startTestDaemon({ token: testToken });
    const { status, body } = await askRaw(url, [`GET ${target} HTTP/1.1`, "host: localhost"]);
    expect(body).not.toContain('"sessions"');
    expect([200, 400, 401, 404]).toContain(status);
    if (status === 200) expect(JSON.parse(body)).toMatchObject({ name: "sandbox-agent" });
  });

  test("nor is a request in absolute form", async () => {
    const { url } = await startTestDaemon({ token: testToken });
    const { status } = await askRaw(url, ["GET http://localhost/v1/sessions HTTP/1.1", "host: localhost"]);
    expect(status).toBe(401);
  });

  test("the routes that change something are closed too", async () => {
    const { url, client } = await startTestDaemon({ token: testToken });
    const stranger = new Client(url);
    expect((await stranger.call("POST", "/v1/sessions/s", { agent: "mock" })).status).toBe(401);
    expect((await client.call("GET", "/v1/sessions/s")).status).toBe(404);
  });

  test("other hosts and origins may come, since the token is the guard", async () => {
    const { url } = await startTestDaemon({ token: testToken });
    const headers = ["host: daemon.example", "origin: https://site.example", `authorization: Bearer ${testToken}`];
    expect((await askRaw(url, ["GET /v1/sessions HTTP/1.1", ...headers])).status).toBe(200);
  });
});

describe("without a token", () => {
  test.each([["localhost"], ["LOCALHOST:2468"], ["127.0.0.1:80"], ["[::1]:2468"], ["app.localhost"]])(
    "host %s is local",
    async (host) => {
      const { url } = await startTestDaemon();
      expect((await askRaw(url, ["GET /v1/sessions HTTP/1.1", `host: ${host}`])).status).toBe(200);
    },
  );

  test.each([
    ["evil.example"],
    ["localhost.evil.example"],
    ["evil.example:2468"],
    ["localhost@evil.example"],
    ["10.0.0.1"],
    ["evillocalhost"],
  ])("host %s is refused", async (host) => {
    const { url } = await startTestDaemon();
    const { status, body } = await askRaw(url, ["GET /v1/sessions HTTP/1.1", `host: ${host}`]);
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ type: "urn:sandbox-agent:error:permission_denied" });
  });

  test.each([
    ["http://localhost:3000", 200],
    ["http://127.0.0.1:1", 200],
    ["http://[::1]:1", 200],
    ["https://evil.example", 403],
    ["http://localhost.evil.example", 403],
    ["null", 403],
    ["", 403],
  ])("origin %s → %i", async (origin, status) => {
    const { url } = await startTestDaemon();
    expect((await askRaw(url, ["GET /v1/sessions HTTP/1.1", "host: localhost", `origin: ${origin}`])).status).toBe(
      status,
    );
  });

  test("an origin that CORS allows may come", async () => {
    const cors = { origins: ["https://site.example"], methods: [], headers: [], credentials: false };
    const { url } = await startTestDaemon({ cors });
    const ask = (origin: string) => askRaw(url, ["GET /v1/sessions HTTP/1.1", "host: localhost", `origin: ${origin}`]);
    expect((await ask("https://site.example")).status).toBe(200);
    expect((await ask("https://other.example")).status).toBe(403);
  });

  test("health answers anybody, who only learns that it is there", async () => {
    const { url } = await startTestDaemon();
    const { status, body } = await askRaw(url, ["GET /v1/health HTTP/1.1", "host: evil.example"]);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ status: "ok" });
  });
});
