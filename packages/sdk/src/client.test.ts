import { readFileSync } from "node:fs";
import { routes } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { SandboxAgent } from "./client.ts";
import { FilesystemClient } from "./filesystem-client.ts";

const methods = [FilesystemClient, SandboxAgent]
  .flatMap(({ prototype }) => Object.entries(Object.getOwnPropertyDescriptors(prototype)))
  .filter(([, { value }]) => typeof value === "function")
  .map(([name]) => name);

test.each(routes.map(({ id }) => id))("%s is a method", (id) => {
  expect(methods).toContain(id);
});

test("every method is a route, except those that stream, end, or answer in another form", () => {
  const ids: readonly string[] = routes.map(({ id }) => id);
  const beyond = methods.filter((name) => !ids.includes(name));
  expect(beyond.filter((name) => name !== "constructor").toSorted()).toEqual([
    "dispose",
    "getPatch",
    "iterateSessions",
    "renameSession",
    "session",
    "streamEventLines",
    "streamEvents",
    "streamFsChanges",
    "streamFsFile",
    "streamFsManifest",
    "streamSessions",
    "streamTurn",
  ]);
});

/** Values for every parameter of every method, in order; a route that is missing here does not compile. */
const argumentsOf: Record<(typeof routes)[number]["id"], readonly unknown[]> = {
  getServerInfo: [],
  getOpenApi: [],
  getHealth: [],
  listAgents: [],
  installAgent: ["agent", { reinstall: true }],
  getAgentModes: ["agent"],
  getAgentModels: ["agent"],
  listSessions: [],
  getSessionListSse: [],
  createSession: ["sessionId", { agent: "mock" }, { idempotencyKey: "key" }],
  getSession: ["sessionId"],
  updateSession: ["sessionId", { title: "another" }],
  deleteSession: ["sessionId"],
  postMessage: ["sessionId", { message: "hi" }],
  postMessageStream: ["sessionId", { message: "hi" }],
  listTurns: ["sessionId"],
  withdrawTurn: ["sessionId", "turnId"],
  interruptSession: ["sessionId"],
  terminateSession: ["sessionId"],
  getEvents: ["sessionId"],
  getEventsSse: ["sessionId"],
  getDiff: ["sessionId"],
  replyQuestion: ["sessionId", "questionId", { answers: [["a"]] }],
  rejectQuestion: ["sessionId", "questionId"],
  replyPermission: ["sessionId", "permissionId", { reply: "once" }],
  listFsEntries: [],
  readFsFile: [{ path: "p" }],
  writeFsFile: [{ path: "p" }, "bytes"],
  deleteFsEntry: [{ path: "p" }],
  mkdirFs: [{ path: "p" }],
  moveFs: [{ from: "a", to: "b" }],
  statFs: [{ path: "p" }],
  uploadFsBatch: ["tar"],
  deleteFsBatch: [{ paths: ["p"] }],
  getFsManifest: [],
  packFs: [{ paths: ["p"] }],
  getFsChangesSse: [],
};

test.each(routes)("$id sends $method $path as the route table says", async (route) => {
  const sent: Request[] = [];
  const client = await SandboxAgent.connect({
    baseUrl: "http://daemon",
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      return new Response("{}", { status: 200 });
    },
  });
  const method = client[route.id] as (...values: unknown[]) => Promise<unknown>;
  await method.apply(client, [...argumentsOf[route.id]]);
  const request = sent[0];
  expect(request?.method).toBe(route.method);
  expect(new URL(request?.url ?? "").pathname).toBe(route.path.replaceAll(/[{}]/g, ""));
  const type = "body" in route ? route.body.type : null;
  expect(request?.headers.get("content-type")).toBe(type);
  const keyed = "headers" in route && "Idempotency-Key" in route.headers;
  expect(request?.headers.has("idempotency-key")).toBe(keyed);
});

test("connect without an address and with spawn switched off says what is missing", async () => {
  await expect(SandboxAgent.connect({ spawn: false })).rejects.toThrow("baseUrl");
});

test.each([
  "dispose",
  "getPatch",
  "renameSession",
  "session",
  "streamEventLines",
  "streamEvents",
  "streamFsChanges",
  "streamFsFile",
  "streamFsManifest",
  "streamTurn",
  ...routes.map(({ id }) => id),
])("%s is documented", (name) => {
  const page = readFileSync(new URL("../../../docs/sdk.mdx", import.meta.url), "utf8");
  expect(page).toContain(`<Accordion title="${name}(`);
});
