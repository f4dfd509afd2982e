/** Feared: a method of the SDK that a real runtime answers with something else than its type says. */
import { runtimeRoutes } from "@sandbox-agent-ts/protocol";
import { RuntimeClient, type RuntimeEvent, SandboxAgentError } from "@sandbox-agent-ts/sdk/runtime";
import { expect, test } from "vitest";
import { startTestRuntime, type TestRuntime } from "../../__fixtures__/test-runtime.ts";

const long = 180_000;
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Told when it answered with JSON: the route, and what its schema says of it. */
type Watch = (id: string, problem: string | undefined) => void;

/** A client of which every JSON answer is held against the schema of its route. */
async function clientOf({ runtime, gateway }: TestRuntime, principal: string, watch: Watch = () => {}) {
  const scope = principal === "root" ? "admin" : "write";
  const { key } = await runtime.keys.create({ name: principal, principal, scope });
  return RuntimeClient.connect({
    baseUrl: gateway.url,
    token: key,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const route = response.ok ? routeOf(init?.method ?? "GET", new URL(String(input)).pathname) : undefined;
      if (route) watch(route.id, await problemOf(route, response.clone()));
      return response;
    },
  });
}

function routeOf(method: string, pathname: string) {
  const pattern = (path: string) => `^${path.replace("{path}", ".+").replaceAll(/\{\w+\}/g, "[^/]+")}$`;
  return runtimeRoutes.find((route) => route.method === method && new RegExp(pattern(route.path)).test(pathname));
}

async function problemOf(route: (typeof runtimeRoutes)[number], response: Response): Promise<string | undefined> {
  if (response.status !== route.response.status) return `answered with ${response.status}`;
  if (!("schema" in route.response)) return undefined;
  return route.response.schema.safeParse(await response.json()).error?.message;
}

async function until(client: RuntimeClient, sessionId: string, isIt: (event: RuntimeEvent) => boolean) {
  for await (const event of client.follow(sessionId, { after: 0 })) if (isIt(event)) return event;
  throw new Error("the session ended");
}

function turnEnded(turnId: string) {
  return ({ name, data }: RuntimeEvent) => name === "session:turn:ended" && data.turnId === turnId;
}

test("every operation of a runtime, by its method", { timeout: long }, async () => {
  const testRuntime = await startTestRuntime();
  const { runtime } = testRuntime;
  const answered = new Map<string, string | undefined>();
  const watch: Watch = (id, problem) => answered.set(id, answered.get(id) ?? problem);
  const ann = await clientOf(testRuntime, "ann", watch);
  const root = await clientOf(testRuntime, "root", watch);
  const bob = await clientOf(testRuntime, "bob");

  expect(await root.putProfile("brief", { description: "short", instructions: "Be brief." })).toMatchObject({
    name: "brief",
    version: 1,
  });
  expect(await ann.listProfiles()).toMatchObject({ profiles: [{ name: "brief" }] });
  expect(await ann.getProfile("brief@1")).toMatchObject({ profile: { instructions: "Be brief." } });

  const wish = { agent: "mock", name: "First", agentProfileReference: "brief", metadata: { team: "web" } };
  const { sessionId } = await ann.createSession(wish, { idempotencyKey: "k" });
  expect(await ann.createSession(wish, { idempotencyKey: "k" })).toMatchObject({ sessionId });
  for (const name of ["Second", "Third"]) await ann.createSession({ agent: "mock", name });
  expect(await ann.listSessions({ limit: 1, q: "first" })).toMatchObject({ sessions: [{ sessionId }] });
  const names: unknown[] = [];
  for await (const { name } of ann.iterateSessions({ limit: 1 })) names.push(name);
  expect(names).toEqual(["Third", "Second", "First"]);
  expect(await ann.updateSession(sessionId, { name: "Renamed", metadata: null })).toMatchObject({ name: "Renamed" });

  const turn = async (content: string) => {
    const { turnId } = await ann.postMessage(sessionId, { content });
    await until(ann, sessionId, turnEnded(turnId));
    const session = await runtime.sessions.loadSession(sessionId);
    await expect.poll(() => session.isRunning, { timeout: 30_000 }).toBe(false);
  };
  const sent = await ann.postMessage(sessionId, { content: "echo hello" }, { idempotencyKey: "m" });
  expect(await ann.postMessage(sessionId, { content: "echo hello" }, { idempotencyKey: "m" })).toEqual(sent);
  await until(ann, sessionId, turnEnded(sent.turnId));
  const whole = await ann.getSession(sessionId);
  expect(whole.blocks.map(({ type }) => type)).toContain("assistant_text");

  const opened = async (kind: "permission" | "question") => {
    const { turnId } = await ann.postMessage(sessionId, { content: kind });
    const isIt = ({ name, data }: RuntimeEvent) => name === "session:request:opened" && data.kind === kind;
    return { turnId, requestId: ((await until(ann, sessionId, isIt)).data as { requestId: string }).requestId };
  };
  const permission = await opened("permission");
  await ann.answerPermission(sessionId, permission.requestId, { reply: "once" });
  const late = ann.answerPermission(sessionId, permission.requestId, { reply: "once" });
  await expect(late).rejects.toMatchObject({ status: 409, code: "request_already_resolved" });
  await until(ann, sessionId, turnEnded(permission.turnId));
  const question = await opened("question");
  await ann.answerQuestion(sessionId, question.requestId, { answers: null });
  await until(ann, sessionId, turnEnded(question.turnId));

  expect(await ann.updateSessionOptions(sessionId, { permissionMode: "plan" })).toMatchObject({
    permissionMode: "plan",
  });
  expect(await ann.getSessionOptions(sessionId)).toHaveProperty("permissionMode");

  const odd = "src/what is #1?.txt";
  const write = (content: string) => ann.api.writeFsFile({ sessionId, path: odd }, content);
  await write("one\n");
  await turn("echo one");
  await write("two\n");
  await turn("echo two");
  expect((await ann.listFiles(sessionId)).files).toContainEqual(expect.objectContaining({ path: odd }));
  expect(text(await ann.readFile(sessionId, odd))).toBe("two\n");
  const { checkpoints } = await ann.listCheckpoints(sessionId);
  const [last, before] = checkpoints.map(({ number }) => number);
  expect(text(await ann.readFile(sessionId, odd, { checkpoint: before! }))).toBe("one\n");
  const streamed = await ann.streamFile(sessionId, odd, { checkpoint: last! });
  expect(await new Response(streamed).text()).toBe("two\n");
  expect(await ann.diffCheckpoints(sessionId, before!, last!)).toMatchObject({ files: [{ path: odd }] });
  expect(await ann.diffCheckpoints(sessionId, before!, last!, { format: "summary" })).not.toHaveProperty("diff");
  expect(await new Response(await ann.packCheckpoint(sessionId, last!)).text()).toContain("two\n");
  await expect(ann.readFile(sessionId, "none")).rejects.toThrow('There is no file "none" in the workspace.');

  const { token } = await ann.createSessionToken(sessionId, { scope: "read", expiresIn: 60 });
  const page = await RuntimeClient.connect({ baseUrl: testRuntime.gateway.url, token });
  expect(await page.getSession(sessionId)).toMatchObject({ sessionId });
  await expect(page.deleteSession(sessionId)).rejects.toMatchObject({ status: 403 });

  const slow = await ann.postMessage(sessionId, { content: "slow 1000 50" });
  await until(ann, sessionId, ({ name, data }) => name === "session:turn:started" && data.turnId === slow.turnId);
  await ann.interruptSession(sessionId);
  await until(ann, sessionId, turnEnded(slow.turnId));
  expect(await ann.syncSession(sessionId)).toMatchObject({ runtime: { isLoaded: true } });
  expect(await ann.terminateSandbox(sessionId)).toMatchObject({ runtime: { sandbox: { status: "terminated" } } });
  expect(await ann.unloadSession(sessionId)).toMatchObject({ runtime: { isLoaded: false } });

  expect(await ann.getUsage()).toMatchObject({ principal: "ann", used: { sessions: 3 } });
  expect((await root.listAuditEntries({ principal: "ann", limit: 1 })).entries).toHaveLength(1);
  await expect(ann.listAuditEntries()).rejects.toMatchObject({ status: 403 });
  expect(await ann.getOpenApi()).toHaveProperty("openapi");

  const foreign: unknown = await bob.getSession(sessionId).catch((error: unknown) => error);
  expect(foreign).toBeInstanceOf(SandboxAgentError);
  expect(foreign).toMatchObject({ status: 404, message: `There is no session "${sessionId}".` });
  await root.deleteProfile("brief");
  await ann.deleteSession(sessionId);
  await expect(ann.getSession(sessionId)).rejects.toMatchObject({ code: "session_not_found" });

  expect([...answered].filter(([, problem]) => problem !== undefined)).toEqual([]);
  expect([...answered.keys()].toSorted()).toEqual(runtimeRoutes.map(({ id }) => id).toSorted());
});
