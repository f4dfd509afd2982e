/** `/api` over HTTP, as two users and their pages use it. */
import { runtimeRoutes } from "@sandbox-agent-ts/protocol";
import { Hono } from "hono";
import { expect, it } from "vitest";
import { startTestRuntime, type TestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";
import { apiRoutes } from "./api/api-routes.ts";

const long = 120_000;

function caller({ gateway }: TestRuntime, token: string) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  };
}

async function userOf(test: TestRuntime, principal: string, scope: "read" | "write" | "admin" = "write") {
  const { key, id } = await test.runtime.keys.create({ name: principal, principal, scope });
  return { call: caller(test, key), key, id };
}

it("a session from its creation to its end, and none of it for another user", { timeout: long }, async () => {
  const test = await startTestRuntime();
  const { call } = await userOf(test, "ann");
  const bob = await userOf(test, "bob");
  const wish = { type: "mock-sdk", name: "First", metadata: { team: "web" } };
  const made = await call("POST", "/api/sessions", wish, { "idempotency-key": "k1" });
  expect(made).toMatchObject({ status: 201, body: { runtime: { isLoaded: true, sandbox: null } } });
  const again = await call("POST", "/api/sessions", wish, { "idempotency-key": "k1" });
  expect(again.body.sessionId).toBe(made.body.sessionId);
  const place = `/api/sessions/${made.body.sessionId}`;

  const message = { content: "echo hello", idempotencyKey: "m1" };
  const sent = await call("POST", `${place}/messages`, message);
  expect(sent).toMatchObject({ status: 202, body: { turnId: expect.any(String) } });
  expect((await call("POST", `${place}/messages`, message)).body).toEqual(sent.body);
  await turnsOf(test.client, made.body.sessionId, 1);
  const whole = await call("GET", place);
  expect(whole.body).toMatchObject({
    type: "mock",
    agentProfileReference: "",
    name: "First",
    metadata: { team: "web" },
  });
  expect(whole.body.blocks.map(({ type }: { type: string }) => type)).toContain("assistant_text");
  expect(whole.body.runtime.sandbox).toMatchObject({ status: "ready", generation: 1 });

  const asked = await call("POST", `${place}/messages`, { content: "permission" });
  let permission = "";
  for await (const event of test.client.streamEvents(made.body.sessionId)) {
    if (event.type === "permission.requested") permission = event.data.permission_id;
    if (permission !== "") break;
  }
  expect((await call("POST", `${place}/permissions/${permission}`, { reply: "once" })).status).toBe(204);
  expect((await call("POST", `${place}/permissions/${permission}`, { reply: "once" })).status).toBe(409);
  expect((await call("POST", `${place}/questions/none`, { answers: null })).status).toBe(404);
  await turnsOf(test.client, made.body.sessionId, 2);
  expect(asked.status).toBe(202);

  const renamed = await call("PATCH", place, { name: "Second", metadata: null });
  expect(renamed.body).toMatchObject({ name: "Second" });
  expect(renamed.body).not.toHaveProperty("metadata");
  expect((await call("PATCH", `${place}/options`, { permissionMode: "plan" })).body).toMatchObject({
    permissionMode: "plan",
  });
  const options = async () => (await call("GET", `${place}/options`)).body;
  await expect.poll(options, { timeout: 20_000 }).toMatchObject({ permissionMode: "plan", model: null });
  expect((await call("GET", "/api/sessions?q=sec&limit=1")).body.sessions).toHaveLength(1);
  expect((await call("GET", "/api/sessions?q=first")).body).toEqual({ sessions: [] });

  await call("PUT", `/v1/fs/file?sessionId=${made.body.sessionId}&path=a%20b.txt`, undefined);
  const files = await call("GET", `${place}/files`);
  expect(files).toMatchObject({ status: 200, body: { isWhole: true } });
  expect((await call("GET", `${place}/files/no/such.txt`)).status).toBe(404);
  expect((await call("GET", `${place}/files/%2e%2e%2Fsecret`)).status).toBe(400);
  expect((await call("POST", `${place}/sync`)).body).toMatchObject({ runtime: { isLoaded: true } });
  expect((await call("POST", `${place}/interrupt`)).status).toBe(204);
  const ended = await call("POST", `${place}/sandbox/terminate`);
  expect(ended.body.runtime.sandbox).toMatchObject({ status: "terminated" });
  expect((await call("POST", `${place}/unload`)).body.runtime).toEqual({ isLoaded: false, sandbox: null });

  expect((await bob.call("GET", "/api/sessions")).body).toEqual({ sessions: [] });
  expect((await bob.call("GET", place)).status).toBe(404);
  expect((await bob.call("DELETE", place)).status).toBe(404);
  expect((await call("DELETE", place)).status).toBe(204);
  expect((await call("GET", place)).status).toBe(404);
  expect((await call("PUT", "/api/sessions", {})).headers.get("allow")).toBe("GET, POST");
});

it("whoever wants the id of somebody else's session learns that it is taken, and nothing more", {
  timeout: long,
}, async () => {
  const test = await startTestRuntime();
  const [ann, bob] = [await userOf(test, "ann"), await userOf(test, "bob")];
  const wish = { agent: "mock", sessionId: "s", name: "Of ann", metadata: { team: "of ann" } };
  const header = { "idempotency-key": "the same" };
  expect((await ann.call("POST", "/api/sessions", wish, header)).status).toBe(201);
  for (const path of ["/api/sessions", "/v1/sessions/s"]) {
    const taken = await bob.call("POST", path, wish, header);
    expect(taken, path).toMatchObject({
      status: 409,
      body: { type: expect.stringContaining("session_already_exists") },
    });
    expect(JSON.stringify(taken.body), path).not.toContain("ann");
  }
  expect((await bob.call("GET", "/api/sessions")).body.sessions).toEqual([]);
});

it("every operation of the table is served under `/api`, and no other", { timeout: long }, async () => {
  const { runtime } = await startTestRuntime();
  const app = new Hono();
  const principalOf = () => ({ principal: "root", scope: "admin" as const });
  apiRoutes(app, runtime, { principalOf, version: "0.0.0" });
  const served = app.routes.map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}").replace("*", "{path}")}`,
  );
  expect(served.sort()).toEqual(runtimeRoutes.map(({ method, path }) => `${method} ${path}`).sort());
});

it("a token reaches its session until session, key or time end, and its streams end with it", {
  timeout: long,
}, async () => {
  const test = await startTestRuntime();
  const { gateway, runtime } = test;
  const ann = await userOf(test, "ann");
  for (const sessionId of ["s", "t"]) await ann.call("POST", "/api/sessions", { agent: "mock", sessionId });
  const tokenOf = async (sessionId: string, expiresIn: number) =>
    (await ann.call("POST", `/api/sessions/${sessionId}/tokens`, { scope: "read", expiresIn })).body.token as string;
  const stream = (sessionId: string, token: string) =>
    fetch(`${gateway.url}/v1/sessions/${sessionId}/events/sse?token=${token}`);
  const ending = async (response: Response) => {
    const reader = response.body!.getReader();
    while (!(await reader.read()).done);
  };

  const brief = await stream("s", await tokenOf("s", 1));
  expect(brief.status).toBe(200);
  await expect(ending(brief)).rejects.toThrow();

  const token = await tokenOf("s", 600);
  expect((await stream("t", token)).status).toBe(404);
  await ann.call("DELETE", "/api/sessions/s");
  await ann.call("POST", "/api/sessions", { agent: "mock", sessionId: "s" });
  expect((await stream("s", token)).status).toBe(404);

  const open = await stream("t", await tokenOf("t", 600));
  expect(open.status).toBe(200);
  await runtime.keys.revoke(ann.id);
  await expect(ending(open)).rejects.toThrow();
});

it("what was done, by whom, is on record for admins; quotas refuse with a sentence", { timeout: long }, async () => {
  const test = await startTestRuntime({ quotas: { principals: { ann: { sessions: 1, turns: 1 } } } });
  const ann = await userOf(test, "ann");
  const admin = await userOf(test, "root", "admin");
  await ann.call("POST", "/api/sessions", { agent: "mock", sessionId: "s" });
  const refused = await ann.call("POST", "/api/sessions", { agent: "mock", sessionId: "t" });
  expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining("may have 1. Delete one") } });
  expect((await ann.call("POST", "/api/sessions/s/messages", { content: "slow 50 100" })).status).toBe(202);
  const busy = await ann.call("POST", "/api/sessions/s/messages", { content: "more" });
  expect(busy).toMatchObject({ status: 429, body: { detail: expect.stringContaining("turns that wait or run") } });
  const { body: usage } = await ann.call("GET", "/api/usage");
  expect(usage).toMatchObject({ principal: "ann", used: { sessions: 1, turns: 1 }, limits: { sessions: 1, turns: 1 } });
  await ann.call("DELETE", "/api/sessions/s");

  expect((await ann.call("GET", "/api/audit")).status).toBe(403);
  const entries = async () => (await admin.call("GET", "/api/audit?principal=ann")).body.entries;
  await expect.poll(async () => (await entries()).length, { timeout: 20_000 }).toBe(6);
  const found = await entries();
  expect(found.map(({ operation, status }: Record<string, unknown>) => `${operation} ${status}`).sort()).toEqual([
    "DELETE /api/sessions/{sessionId} 204",
    "GET /api/audit 403",
    "POST /api/sessions 201",
    "POST /api/sessions 403",
    "POST /api/sessions/{sessionId}/messages 202",
    "POST /api/sessions/{sessionId}/messages 429",
  ]);
  expect(found).toContainEqual(
    expect.objectContaining({ principal: "ann", keyId: ann.id, byToken: false, sessionId: "s", status: 204 }),
  );
  const page = await admin.call("GET", "/api/audit?principal=ann&limit=2");
  const next = await admin.call("GET", `/api/audit?principal=ann&limit=2&cursor=${page.body.nextCursor}`);
  expect(next.body.entries).toEqual(found.slice(2, 4));
});

it("users of the application come in by its own sign-in, but not from pages of other sites", {
  timeout: long,
}, async () => {
  const test = await startTestRuntime({
    authenticate: ({ headers }) => (headers.cookie === "user=eve" ? { principal: "eve", scope: "write" } : null),
  });
  const list = (headers: Record<string, string>) => fetch(`${test.gateway.url}/api/sessions`, { headers });
  expect((await list({ cookie: "user=eve" })).status).toBe(200);
  expect((await list({ cookie: "user=eve", origin: test.gateway.url })).status).toBe(200);
  expect((await list({ cookie: "user=eve", origin: "https://evil.example" })).status).toBe(401);
  expect((await list({ cookie: "user=bob" })).status).toBe(401);
});
