/** Feared: a policy that decides and nobody hears of it, a person who is asked in vain, a request that hangs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventPayload, PermissionRequestedData } from "@sandbox-agent-ts/protocol";
import { describe, expect, test, vi } from "vitest";
import { type Client, codeOf, ofType, session } from "../__fixtures__/client.ts";
import { eventually } from "../__fixtures__/eventually.ts";
import { ScriptedAgent } from "../__fixtures__/scripted-agent.ts";
import type { SseReader } from "../__fixtures__/sse-reader.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

function permission(id: string, about: Partial<PermissionRequestedData>): EventPayload {
  return { type: "permission.requested", data: { permission_id: id, action: id, status: "requested", ...about } };
}

function question(id: string): EventPayload {
  const questions = ["One?", "Two?"].map((prompt) => {
    return { prompt, options: [{ label: "A" }, { label: "B" }], multi_select: false };
  });
  return {
    type: "question.requested",
    data: { question_id: id, prompt: "One?", options: ["A", "B"], questions, status: "requested" },
  };
}

interface Played {
  readonly agent: ScriptedAgent;
  readonly client: Client;
  readonly reader: SseReader;
  /** The turn is over: its whole log, which must be sound. */
  finished(): ReturnType<Client["soundLog"]>;
}

async function play(request: Record<string, unknown>): Promise<Played> {
  const agent = new ScriptedAgent();
  const { client } = await startTestDaemon({ extraAgents: [agent.adapter] });
  await client.create("s", { agent: "scripted", directory: temporaryDirectory(), ...request });
  const reader = await client.startTurn("s", "go");
  await agent.prompted(1);
  return {
    agent,
    client,
    reader,
    finished: async () => {
      agent.finish();
      await reader.closed;
      return client.soundLog("s");
    },
  };
}

/** What the agent was told, one line for each answer. */
const told = ({ answered }: ScriptedAgent) =>
  answered.map(({ id, reply, reason }) => [id, reply, ...(reason === undefined ? [] : [reason])].join(" "));

const policy = {
  rules: [
    { action: "deny", kind: "edit", paths: "!src/**", reason: "Stay in src." },
    { action: "allow", kind: "edit" },
  ],
};

test("a file that was sent with a message may be read, and no other", async () => {
  const agent = new ScriptedAgent();
  const { client } = await startTestDaemon({ extraAgents: [agent.adapter] });
  const directory = temporaryDirectory();
  const path = join(directory, "a.txt");
  writeFileSync(path, "a");
  await client.create("s", { agent: "scripted", directory });
  const reader = await client.follow("s");
  await client.call("POST", `${session("s")}/messages`, { message: "read", attachments: [{ path: "a.txt" }] });
  await agent.prompted(1);
  agent.emit(permission("sent", { kind: "read", paths: [path] }));
  agent.emit(permission("changed", { kind: "edit", paths: [path] }));
  agent.emit(permission("more", { kind: "read", paths: [path, "/etc/passwd"] }));
  agent.emit(permission("unsaid", { kind: "read", paths: [] }));
  await reader.until(({ type, data }) => type === "permission.requested" && data.permission_id === "unsaid");
  expect(told(agent)).toEqual(["sent once The file was sent with a message."]);
  expect((await client.info("s")).pendingPermissions).toEqual(["changed", "more", "unsaid"]);
  agent.finish();
  await reader.until(({ type }) => type === "turn.ended");
  const [resolved] = ofType(await client.soundLog("s"), "permission.resolved");
  expect(resolved?.data).toMatchObject({ permission_id: "sent", status: "approved", resolved_by: "policy" });
});

describe("a policy", () => {
  test("decides without a request, in the log and to the agent, with its reason", async () => {
    const { agent, reader, finished } = await play({ policy });
    agent.emit(
      permission("yes", { kind: "edit", paths: ["src/a"], metadata: { x: 1 } }),
      permission("no", { kind: "edit", paths: ["b"] }),
    );
    await reader.until((event) => event.type === "permission.resolved" && event.data.permission_id === "no");
    const events = await finished();
    expect(ofType(events, "permission.requested")).toEqual([]);
    expect(ofType(events, "permission.resolved").map(({ data }) => data)).toEqual([
      expect.objectContaining({ permission_id: "yes", status: "approved", reply: "once", resolved_by: "policy" }),
      expect.objectContaining({ permission_id: "no", status: "denied", reply: "reject", reason: "Stay in src." }),
    ]);
    expect(ofType(events, "permission.resolved")[0]?.data.metadata).toEqual({
      x: 1,
      policy: { action: "allow", rule: 1 },
    });
    await eventually(() => expect(told(agent)).toEqual(["yes once", "no reject Stay in src."]));
    expect(agent.answered.map(({ by }) => by)).toEqual(["policy", "policy"]);
  });

  test("leaves to a person what it does not decide", async () => {
    const { agent, client, reader, finished } = await play({ policy });
    agent.emit(permission("ask", { kind: "execute", command: "x".repeat(600), tool: "Bash", call_id: "c" }));
    await reader.until((event) => event.type === "permission.requested");
    expect((await client.info("s")).pendingRequests).toEqual([
      {
        type: "permission",
        id: "ask",
        summary: "ask",
        kind: "execute",
        tool: "Bash",
        command: `${"x".repeat(499)}…`,
        callId: "c",
      },
    ]);
    await client.call("POST", `${session("s")}/permissions/ask/reply`, { reply: "once" });
    const events = await finished();
    expect(ofType(events, "permission.resolved")[0]?.data.resolved_by).toBe("person");
  });

  test("that is changed holds at once, also in a turn that runs", async () => {
    const { agent, client, reader, finished } = await play({ policy });
    await client.call("PATCH", session("s"), { policy: { rules: [{ action: "deny", reason: "No." }] } });
    agent.emit(permission("no", { kind: "edit", paths: ["src/a"] }));
    await reader.until((event) => event.type === "permission.resolved");
    await finished();
    await eventually(() => expect(told(agent)).toEqual(["no reject No."]));
  });

  test("has the agent ask: the permission mode is the daemon's then", async () => {
    const { agent, client, reader, finished } = await play({ policy, permissionMode: "bypass" });
    expect(agent.session?.permissionMode).toBe("default");
    expect((await client.info("s")).permissionMode).toBe("bypass");
    agent.emit(permission("run", { kind: "execute", command: "x" }));
    await reader.until((event) => event.type === "permission.resolved");
    await finished();
    await eventually(() => expect(told(agent)).toEqual(["run once"]));
  });

  test("that decides while the turn is stopped leaves nothing open", async () => {
    const { agent, client, reader } = await play({ policy });
    agent.emit(permission("yes", { kind: "edit", paths: ["src/a"] }), permission("ask", { kind: "execute" }));
    const stopped = client.call("POST", `${session("s")}/interrupt`);
    agent.emit(permission("late", { kind: "edit", paths: ["src/b"] }));
    expect((await stopped).status).toBe(204);
    await reader.closed;
    const events = await client.soundLog("s");
    const askedOf = ofType(events, "permission.resolved").find(({ data }) => data.permission_id === "ask");
    expect(askedOf?.data.resolved_by).toBe("daemon");
  });

  test.each([
    [{ rules: [{ action: "permit" }] }, "policy.rules.0.action"],
    [{ rules: [{ action: "allow", kind: "write" }] }, "policy.rules.0.kind"],
    [{ rules: [{ action: "allow", path: "x" }] }, "policy.rules.0"],
    [{ rule: [] }, "policy.rules"],
  ])("%j is refused, and it is said where it is wrong", async (wrong, path) => {
    const { client } = await startTestDaemon();
    const created = await client.call("POST", session("s"), { agent: "mock", policy: wrong });
    await client.create("t");
    for (const answer of [created, await client.call("PATCH", session("t"), { policy: wrong })]) {
      expect([answer.status, codeOf(answer)]).toEqual([400, "invalid_request"]);
      expect(answer.json<{ detail: string }>().detail).toContain(path);
    }
  });
});

test.each([
  [{ action: "deny", kind: "read" }],
  [{ action: "ask", kind: ["edit", "read"], paths: "src/**" }],
  [{ action: "deny", paths: "**/.env" }],
  [{ action: "deny", tools: "Read" }],
])("%j is refused for an agent that reads without asking", async (rule) => {
  const { client } = await startTestDaemon();
  const wrong = { rules: [{ action: "allow", kind: "read" }, rule] };
  const created = await client.call("POST", session("s"), { agent: "mock", policy: wrong });
  await client.create("t");
  for (const answer of [created, await client.call("PATCH", session("t"), { policy: wrong })]) {
    expect([answer.status, codeOf(answer)]).toEqual([400, "invalid_request"]);
    expect(answer.json<{ detail: string }>().detail).toMatch(/does not ask before all actions of kind "read"/);
    expect(answer.text).toContain("policy.rules.1.kind");
  }
});

test.each([[{ action: "deny", kind: "mcp" }], [{ action: "ask", mcpServers: "github" }]])(
  "%j is refused for an agent that does not ask about every tool of an MCP server",
  async (rule) => {
    const agent = new ScriptedAgent();
    const adapter = { ...agent.adapter, unaskedKinds: ["mcp" as const] };
    const { client } = await startTestDaemon({ extraAgents: [adapter] });
    const created = await client.call("POST", session("s"), { agent: "scripted", policy: { rules: [rule] } });
    expect([created.status, codeOf(created)]).toEqual([400, "invalid_request"]);
    expect(created.text).toContain("policy.rules.0.kind");
    const others = { rules: [{ action: "deny", commands: "rm *" }] };
    expect((await client.call("POST", session("t"), { agent: "scripted", policy: others })).status).toBeLessThan(300);
  },
);

test("a rule on reads is taken by an agent that asks about them, and such an agent is told to ask", async () => {
  const agent = new ScriptedAgent();
  const adapter = { ...agent.adapter, unaskedKinds: [] };
  const opened = vi.spyOn(adapter, "open");
  const { client } = await startTestDaemon({ extraAgents: [adapter] });
  await client.create("s", { agent: "scripted", policy: { rules: [{ action: "deny", paths: "**/.env" }] } });
  await client.create("t", { agent: "scripted" });
  expect(opened.mock.calls.map(([{ session }]) => session.asksEverything)).toEqual([true, undefined]);
});

describe("a request that nobody attends to", () => {
  test("is answered when its time is over", async () => {
    const requestTimeout = { afterMs: 100, question: "first" };
    const { agent, reader, finished } = await play({ requestTimeout });
    agent.emit(permission("p", { kind: "edit" }), question("q"));
    await reader.until((event) => event.type === "permission.resolved");
    await reader.until((event) => event.type === "question.resolved");
    await eventually(() => expect(told(agent)).toContain("p reject Nobody answered within 0.1 s."));
    const events = await finished();
    expect(ofType(events, "permission.resolved")[0]?.data).toMatchObject({
      resolved_by: "timeout",
      reply: "reject",
      reason: "Nobody answered within 0.1 s.",
    });
    expect(ofType(events, "question.resolved")[0]?.data).toMatchObject({
      resolved_by: "timeout",
      status: "answered",
      answers: [["A"], ["A"]],
    });
  });

  test("may be allowed or declined, with a reason of its own", async () => {
    const { agent, reader, finished } = await play({
      requestTimeout: { afterMs: 100, permission: "once", reason: "Nightly." },
    });
    agent.emit(permission("p", { kind: "edit" }), question("q"));
    await reader.until((event) => event.type === "permission.resolved");
    await reader.until((event) => event.type === "question.resolved");
    const events = await finished();
    expect(ofType(events, "permission.resolved")[0]?.data).toMatchObject({ reply: "once", reason: "Nightly." });
    expect(ofType(events, "question.resolved")[0]?.data.status).toBe("rejected");
  });

  test("is not answered for a person who did, and gets a limit also later", async () => {
    const { agent, client, reader, finished } = await play({});
    agent.emit(permission("mine", { kind: "edit" }), permission("theirs", { kind: "edit" }));
    await reader.until((event) => event.type === "permission.requested" && event.data.permission_id === "theirs");
    await client.call("POST", `${session("s")}/permissions/mine/reply`, { reply: "once" });
    await client.call("PATCH", session("s"), { requestTimeout: { afterMs: 100 } });
    await reader.until((event) => event.type === "permission.resolved" && event.data.permission_id === "theirs");
    await eventually(() => expect(agent.answered.map(({ by }) => by)).toEqual(["person", "timeout"]));
    const resolvers = ofType(await finished(), "permission.resolved").map(({ data }) => data.resolved_by);
    expect(resolvers).toEqual(["person", "timeout"]);
  });
});
