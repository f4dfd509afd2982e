import { readFileSync } from "node:fs";
import { type RuntimeRouteId, runtimeRoutes } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { bodyOf, listen, respondJson, respondProblem } from "../__fixtures__/scripted-server.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import { RuntimeApiClient } from "./runtime-api-client.ts";
import { RuntimeClient } from "./runtime-client.ts";

const nameOf = (id: string) => id.replace("Runtime", "");
const names = runtimeRoutes.map(({ id }) => nameOf(id));
const methods = [RuntimeApiClient, RuntimeClient]
  .flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype))
  .filter((name) => name !== "constructor");

test("every route is a method, named as it without `Runtime`; others page, stream or follow", () => {
  expect(methods.toSorted()).toEqual([...names, "follow", "iterateSessions", "streamFile"].toSorted());
});

test.each(methods)("%s is documented", (name) => {
  const page = readFileSync(new URL("../../../../docs/runtime-api.mdx", import.meta.url), "utf8");
  expect(page.includes(`\n| \`${name}(`)).toBe(true);
});

/** Values for every parameter of every method, in order; a route that is missing here does not compile. */
const argumentsOf: Record<RuntimeRouteId, readonly unknown[]> = {
  listRuntimeSessions: [{ limit: 1 }],
  createRuntimeSession: [{ agent: "mock" }],
  getRuntimeSession: ["sessionId"],
  updateRuntimeSession: ["sessionId", { name: "another" }],
  deleteRuntimeSession: ["sessionId"],
  postRuntimeMessage: ["sessionId", { content: "hi" }],
  interruptRuntimeSession: ["sessionId"],
  getRuntimeSessionOptions: ["sessionId"],
  updateRuntimeSessionOptions: ["sessionId", { model: null }],
  unloadRuntimeSession: ["sessionId"],
  syncRuntimeSession: ["sessionId"],
  terminateRuntimeSandbox: ["sessionId"],
  answerRuntimePermission: ["sessionId", "permissionId", { reply: "once" }],
  answerRuntimeQuestion: ["sessionId", "questionId", { answers: null }],
  listRuntimeFiles: ["sessionId", { checkpoint: 1 }],
  readRuntimeFile: ["sessionId", "path", { checkpoint: 1 }],
  listProfiles: [],
  getProfile: ["name"],
  putProfile: ["name", { instructions: "Be brief." }],
  deleteProfile: ["name"],
  listCheckpoints: ["sessionId"],
  packCheckpoint: ["sessionId", 1],
  diffCheckpoints: ["sessionId", 1, 2, { format: "summary" }],
  createSessionToken: ["sessionId", { scope: "read" }],
  getRuntimeUsage: [],
  listAuditEntries: [{ limit: 1 }],
  getRuntimeOpenApi: [],
};
const values: Record<string, string> = { checkpoint: "1", other: "2" };

function callOf(client: RuntimeClient, id: RuntimeRouteId): Promise<unknown> {
  const method = client[nameOf(id) as keyof RuntimeApiClient] as (...given: unknown[]) => Promise<unknown>;
  return method.apply(client, [...argumentsOf[id]]);
}

test.each(runtimeRoutes)("$id sends $method $path as the route table says", async (route) => {
  const sent: Request[] = [];
  const client = await RuntimeClient.connect({
    baseUrl: "http://runtime",
    token: "key",
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      return new Response("{}", { status: 200 });
    },
  });
  await callOf(client, route.id);
  const [request] = sent;
  const url = new URL(request!.url);
  expect(request!.method).toBe(route.method);
  expect(url.pathname).toBe(route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name));
  const known: readonly string[] = "query" in route ? Object.keys(route.query.shape) : [];
  for (const name of url.searchParams.keys()) expect(known).toContain(name);
  expect(request!.headers.get("authorization")).toBe("Bearer key");
  expect(request!.headers.get("accept")).toBe("type" in route.response ? route.response.type : "application/json");
  expect(request!.headers.get("content-type")).toBe("body" in route ? route.body.type : null);
  expect(request!.headers.has("idempotency-key")).toBe("headers" in route);
});

describe("what a second attempt could do twice is not tried again, all else is", () => {
  const once = new Set<RuntimeRouteId>([
    "deleteRuntimeSession",
    "interruptRuntimeSession",
    "unloadRuntimeSession",
    "terminateRuntimeSandbox",
    "answerRuntimePermission",
    "answerRuntimeQuestion",
    "deleteProfile",
    // A stream is the caller's to open again.
    "packCheckpoint",
  ]);

  test.each(runtimeRoutes.map(({ id }) => id))("%s", async (id) => {
    const keys: unknown[] = [];
    const baseUrl = await listen(async (request, response) => {
      await bodyOf(request);
      keys.push(request.headers["idempotency-key"]);
      response.setHeader("retry-after", "0");
      if (keys.length === 1) respondProblem(response, 503, "internal_error", "The runtime is starting.");
      else respondJson(response, 200, {});
    });
    const client = await RuntimeClient.connect({ baseUrl });
    const outcome = await callOf(client, id).catch((error: unknown) => error);
    expect(keys).toHaveLength(once.has(id) ? 1 : 2);
    expect(new Set(keys).size).toBe(1);
    if (once.has(id)) expect(outcome).toMatchObject({ status: 503, message: "The runtime is starting." });
    else expect(outcome).not.toBeInstanceOf(SandboxAgentError);
  });
});

test("the parts of a path are encoded, and one that leads elsewhere is refused before anything is sent", async () => {
  const urls: string[] = [];
  const client = await RuntimeClient.connect({
    baseUrl: "http://runtime",
    fetch: async (input) => {
      urls.push(String(input));
      return new Response("text");
    },
  });
  await client.readFile("a/b", "src/what is #1?.txt");
  expect(urls).toEqual(["http://runtime/api/sessions/a%2Fb/files/src/what%20is%20%231%3F.txt"]);
  for (const file of ["", "../secret", "a//b", "/etc/passwd"]) {
    expect(() => client.readFile("s", file)).toThrow(SandboxAgentError);
  }
  expect(urls).toHaveLength(1);
});
