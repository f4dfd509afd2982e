/** Feared: a request that is answered twice, by nobody, or never again; an answer that is lost. */
import { type EventPayload, SandboxError, type UniversalEvent } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { agentText, type Client, codeOf, ofType, session } from "../__fixtures__/client.ts";
import { ScriptedAgent } from "../__fixtures__/scripted-agent.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

interface Asked {
  readonly path: string;
  ended(): Promise<UniversalEvent[]>;
}

/** A session whose agent waits for an answer; `path` is where to send it. */
async function ask(client: Client, agent: string, message: "permission" | "question"): Promise<Asked> {
  await client.create("s", { agent });
  const reader = await client.follow("s");
  await client.message("s", message);
  const requested = (await reader.until((event) => event.type.endsWith(".requested"))).at(-1)!;
  const id = message === "permission" ? "permission_id" : "question_id";
  return {
    path: `${session("s")}/${message}s/${encodeURIComponent((requested.data as Record<string, string>)[id]!)}`,
    ended: () => reader.until((event) => event.type === "turn.ended"),
  };
}

const reply = { reply: "once" };
const answers = { answers: [["Blue"], ["Header", "Footer"]] };

describe("a permission", () => {
  test.each(["mock", "fake"])("of the %s agent waits, shows, and goes on with the answer", async (agent) => {
    const { client } = await startTestDaemon();
    const asked = await ask(client, agent, "permission");
    const waiting = await client.info("s");
    expect(waiting.status).toBe("waiting");
    expect(waiting.pendingPermissions).toHaveLength(1);
    expect((await client.call("POST", `${asked.path}/reply`, reply)).status).toBe(204);
    const events = await asked.ended();
    const [resolved] = ofType(events, "permission.resolved");
    expect(resolved).toMatchObject({ source: "daemon", data: { status: "approved", reply: "once" } });
    expect(agentText(events)).toMatch(agent === "mock" ? /allowed it this once/ : /replied once/);
    expect(await client.info("s")).toMatchObject({ status: "idle", pendingPermissions: [] });
    await client.soundLog("s");
  });

  test.each([
    ["once", "approved"],
    ["always", "approved"],
    ["reject", "denied"],
  ])("%s is %s", async (word, status) => {
    const { client } = await startTestDaemon();
    const asked = await ask(client, "fake", "permission");
    await client.call("POST", `${asked.path}/reply`, { reply: word });
    const events = await asked.ended();
    expect(ofType(events, "permission.resolved")[0]?.data).toMatchObject({ status, reply: word });
    expect(agentText(events)).toContain(`replied ${word}`);
  });

  test("20 answers at once: one wins, 19 are told so, the agent hears one", async () => {
    const { client } = await startTestDaemon();
    const asked = await ask(client, "fake", "permission");
    const words = ["once", "reject", "always"];
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => client.call("POST", `${asked.path}/reply`, { reply: words[n % 3] })),
    );
    const late = all.filter(({ status }) => status !== 204);
    expect(late).toHaveLength(19);
    for (const answer of late) {
      expect(answer.status).toBe(409);
      expect(codeOf(answer)).toBe("request_already_resolved");
    }
    const events = await asked.ended();
    expect(ofType(events, "permission.resolved")).toHaveLength(1);
    await client.soundLog("s");
  });
});

describe("a question", () => {
  test("goes on with all answers", async () => {
    const { client } = await startTestDaemon();
    const asked = await ask(client, "mock", "question");
    expect((await client.info("s")).pendingQuestions).toHaveLength(1);
    expect((await client.call("POST", `${asked.path}/reply`, answers)).status).toBe(204);
    const events = await asked.ended();
    expect(ofType(events, "question.resolved")[0]?.data).toMatchObject({
      status: "answered",
      ...answers,
      response: "Blue",
    });
    expect(agentText(events)).toBe("You chose\nColour: Blue\nPlaces: Header, Footer");
    await client.soundLog("s");
  });

  test("goes on without, when declined", async () => {
    const { client } = await startTestDaemon();
    const asked = await ask(client, "mock", "question");
    expect((await client.call("POST", `${asked.path}/reject`)).status).toBe(204);
    const events = await asked.ended();
    expect(ofType(events, "question.resolved")[0]?.data.status).toBe("rejected");
    expect(agentText(events)).toContain("You declined");
    await client.soundLog("s");
  });

  test.each([
    [[["Blue"]], "Blue"],
    [[], ""],
  ])("answers that are missing count as none: %j", async (given, response) => {
    const { client } = await startTestDaemon();
    const asked = await ask(client, "mock", "question");
    expect((await client.call("POST", `${asked.path}/reply`, { answers: given })).status).toBe(204);
    const [resolved] = ofType(await asked.ended(), "question.resolved");
    expect(resolved?.data).toMatchObject({ status: "answered", response, answers: [given[0] ?? [], []] });
    await client.soundLog("s");
  });

  test.each([
    ["too many", { answers: [["Blue"], [], []] }],
    ["not lists", { answers: ["Blue", "Header"] }],
    ["nothing", {}],
  ])("%s answers are refused and the question stays open", async (_what, body) => {
    const { client } = await startTestDaemon();
    const asked = await ask(client, "mock", "question");
    const answer = await client.call("POST", `${asked.path}/reply`, body);
    expect(answer.status).toBe(400);
    expect(codeOf(answer)).toBe("invalid_request");
    expect((await client.call("POST", `${asked.path}/reply`, answers)).status).toBe(204);
    await asked.ended();
  });

  test("an answer and a refusal at once: one of them", async () => {
    const { client } = await startTestDaemon();
    const asked = await ask(client, "mock", "question");
    const all = await Promise.all([
      client.call("POST", `${asked.path}/reply`, answers),
      client.call("POST", `${asked.path}/reject`),
    ]);
    expect(all.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    await asked.ended();
    await client.soundLog("s");
  });
});

describe("what is not open", () => {
  test.each(["nothing", "__proto__", "constructor", "a/b", "%", "x".repeat(1000)])("%s is unknown", async (id) => {
    const { client } = await startTestDaemon();
    await ask(client, "mock", "permission");
    const at = encodeURIComponent(id);
    const base = session("s");
    for (const answer of [
      await client.call("POST", `${base}/permissions/${at}/reply`, reply),
      await client.call("POST", `${base}/questions/${at}/reply`, answers),
      await client.call("POST", `${base}/questions/${at}/reject`),
    ]) {
      expect(answer.status).toBe(404);
      expect(codeOf(answer)).toBe("request_not_found");
    }
  });

  test("a permission is no question, and one of another session is unknown here", async () => {
    const { client } = await startTestDaemon();
    const { path } = await ask(client, "mock", "permission");
    await client.create("other");
    expect((await client.call("POST", `${path.replace("/permissions/", "/questions/")}/reject`)).status).toBe(404);
    expect((await client.call("POST", `${path.replace("/s/", "/other/")}/reply`, reply)).status).toBe(404);
    expect((await client.call("POST", `${path}/reply`, reply)).status).toBe(204);
  });

  test("after a restart it is known which were settled and which never were", async () => {
    const dataDir = temporaryDirectory();
    const first = await startTestDaemon({ dataDir });
    const asked = await ask(first.client, "mock", "permission");
    await first.client.call("POST", `${asked.path}/reply`, reply);
    await asked.ended();
    await first.close();
    const { client } = await startTestDaemon({ dataDir });
    expect(codeOf(await client.call("POST", `${asked.path}/reply`, reply))).toBe("request_already_resolved");
    const unknown = await client.call("POST", `${session("s")}/permissions/nothing/reply`, reply);
    expect(codeOf(unknown)).toBe("request_not_found");
  });

  test("what was open when the daemon stopped is resolved", async () => {
    const dataDir = temporaryDirectory();
    const first = await startTestDaemon({ dataDir });
    const asked = await ask(first.client, "fake", "permission");
    await first.close();
    const { client } = await startTestDaemon({ dataDir });
    expect((await client.call("POST", `${asked.path}/reply`, reply)).status).toBe(409);
    expect(await client.info("s")).toMatchObject({ status: "idle", pendingPermissions: [] });
    await client.soundLog("s");
  });
});

test("a decision stands, whether or not the agent can still hear it", async () => {
  const agent = new ScriptedAgent();
  agent.answerError = new SandboxError("request_not_found", "Nobody is waiting for this.");
  const { client } = await startTestDaemon({ extraAgents: [agent.adapter] });
  await client.create("s", { agent: "scripted" });
  const turn = await client.startTurn("s", "hello");
  await agent.prompted(1);
  agent.emit({ type: "permission.requested", data: { permission_id: "p", action: "run", status: "requested" } });
  await turn.until((event) => event.type === "permission.requested");
  expect((await client.call("POST", `${session("s")}/permissions/p/reply`, reply)).status).toBe(204);
  agent.finish();
  const [resolved] = ofType(await turn.until((event) => event.type === "turn.ended"), "permission.resolved");
  expect(resolved?.data).toMatchObject({ status: "approved", reply: "once" });
});

describe("a decision says who made it and why", () => {
  const requested = { permission_id: "p", action: "run", kind: "execute", command: "ls", status: "requested" } as const;

  async function askedOf(agent: ScriptedAgent, payload: EventPayload) {
    const { client } = await startTestDaemon({ extraAgents: [agent.adapter] });
    await client.create("s", { agent: "scripted" });
    const turn = await client.startTurn("s", "hello");
    await agent.prompted(1);
    agent.emit(payload);
    await turn.until((event) => event.type === payload.type);
    return { client, ended: () => turn.until((event) => event.type === "turn.ended") };
  }

  test.each([
    ["Use pnpm instead.", "Use pnpm instead."],
    [" \n", undefined],
    [null, undefined],
  ])("the reason %j is in the log and told to the agent as %j", async (given, told) => {
    const agent = new ScriptedAgent();
    const asked = await askedOf(agent, { type: "permission.requested", data: requested });
    const body = { reply: "reject", reason: given };
    expect((await asked.client.call("POST", `${session("s")}/permissions/p/reply`, body)).status).toBe(204);
    expect(agent.answered).toEqual([{ id: "p", reply: "reject", reason: told, by: "person" }]);
    agent.finish();
    const [resolved] = ofType(await asked.ended(), "permission.resolved");
    const { reason, ...data } = resolved?.data ?? {};
    expect(reason).toBe(told);
    expect(data).toEqual({ ...requested, status: "denied", reply: "reject", resolved_by: "person" });
  });

  test("a reason longer than 10,000 characters is refused, and the permission stays open", async () => {
    const asked = await askedOf(new ScriptedAgent(), { type: "permission.requested", data: requested });
    const body = { reply: "reject", reason: "x".repeat(10_001) };
    const answer = await asked.client.call("POST", `${session("s")}/permissions/p/reply`, body);
    expect([answer.status, codeOf(answer)]).toEqual([400, "invalid_request"]);
    expect((await asked.client.info("s")).pendingPermissions).toHaveLength(1);
  });

  test("what an agent lets pass for an earlier `always` is told without a request", async () => {
    const agent = new ScriptedAgent();
    const data = { ...requested, status: "approved", reply: "always", resolved_by: "remembered" } as const;
    const asked = await askedOf(agent, { type: "permission.resolved", data });
    agent.emit({ type: "permission.resolved", data: { ...data, permission_id: "late", resolved_by: "agent" } });
    agent.finish();
    const resolved = ofType(await asked.ended(), "permission.resolved");
    expect(resolved.map((event) => event.data)).toEqual([data]);
    await asked.client.soundLog("s");
  });
});

describe("answers that come while the turn is being stopped", () => {
  test("are taken or told that they are late, never anything else", async () => {
    for (let round = 0; round < 10; round++) {
      const { client, close } = await startTestDaemon();
      const asked = await ask(client, round % 2 ? "mock" : "fake", "permission");
      const [stopped, ...replies] = await Promise.all([
        client.call("POST", `${session("s")}/interrupt`),
        client.call("POST", `${asked.path}/reply`, reply),
        client.call("POST", `${asked.path}/reply`, reply),
      ]);
      expect(stopped.status).toBe(204);
      for (const { status, text } of replies) expect([204, 409], text).toContain(status);
      await asked.ended();
      expect((await client.info("s")).status).toBe("idle");
      await client.soundLog("s");
      await close();
    }
  });
});
