/** Feared: half a session: one that was refused and is there, or that was promised and is not. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SandboxError, SessionInfo } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { codeOf, session } from "../__fixtures__/client.ts";
import { installableAgent } from "../__fixtures__/installable-agent.ts";
import { stubAgent } from "../__fixtures__/stub-agent.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon, type TestDaemon } from "../__fixtures__/test-daemon.ts";

function sessionFolders({ dataDir }: TestDaemon): string[] {
  return readdirSync(join(dataDir, "sessions"));
}

async function expectNothingLeft(daemon: TestDaemon): Promise<void> {
  expect((await daemon.client.call("GET", session("s"))).status).toBe(404);
  expect((await daemon.client.call("GET", "/v1/sessions")).json()).toEqual({ sessions: [] });
  expect(sessionFolders(daemon)).toEqual([]);
  await daemon.client.create("s");
}

describe("what is refused leaves nothing", () => {
  test.each([
    ["an unknown agent", { agent: "nobody" }, "unsupported_agent"],
    ["an agent with a name of JavaScript", { agent: "__proto__" }, "unsupported_agent"],
    ["no agent", {}, "invalid_request"],
    ["an unknown agent mode", { agent: "mock", agentMode: "dance" }, "mode_not_supported"],
    ["an agent mode another agent has", { agent: "fake", agentMode: "plan" }, "mode_not_supported"],
    ["a permission mode the agent has not", { agent: "fake", permissionMode: "plan" }, "mode_not_supported"],
    ["a permission mode nobody has", { agent: "mock", permissionMode: "yolo" }, "invalid_request"],
    ["a directory that is not there", { agent: "mock", directory: "/nowhere/at/all" }, "invalid_request"],
    ["a directory that is a file", { agent: "mock", directory: process.execPath }, "invalid_request"],
    ["a directory with a zero byte", { agent: "mock", directory: "/tmp/\0" }, "invalid_request"],
    ["an MCP server that is none", { agent: "mock", mcp: { x: { type: "local" } } }, "invalid_request"],
    ["an environment that is no text", { agent: "mock", env: { A: 1 } }, "invalid_request"],
  ])("%s", async (_what, request, code) => {
    const daemon = await startTestDaemon();
    const answer = await daemon.client.call("POST", session("s"), request);
    expect(answer.status).toBe(400);
    expect(codeOf(answer)).toBe(code);
    await expectNothingLeft(daemon);
  });

  test("an id that is too long", async () => {
    const daemon = await startTestDaemon();
    const answer = await daemon.client.call("POST", session("x".repeat(513)), { agent: "mock" });
    expect(codeOf(answer)).toBe("invalid_request");
    expect(sessionFolders(daemon)).toEqual([]);
  });

  test("an agent whose installation fails", async () => {
    const { agent, env, registry } = await installableAgent([]);
    const daemon = await startTestDaemon({ extraAgents: [agent], env });
    const answer = await daemon.client.call("POST", session("s"), { agent: "installable" });
    expect(answer.status).toBe(500);
    expect(codeOf(answer)).toBe("install_failed");
    expect(answer.json()).toMatchObject({
      agent: "installable",
      details: { step: "resolve", status: 404, url: `${registry.url}installable-program` },
    });
    await expectNothingLeft(daemon);
  });

  test("an agent that there is no room for", async () => {
    const { agent, env } = await installableAgent(["1.0.0"]);
    const daemon = await startTestDaemon({ extraAgents: [agent], env });
    writeFileSync(join(daemon.dataDir, "programs"), "a file where the directory should be");
    for (const path of [session("s"), "/v1/agents/installable/install"]) {
      const answer = await daemon.client.call("POST", path, { agent: "installable" });
      expect(codeOf(answer)).toBe("install_failed");
      expect(answer.text).toContain("ENOTDIR");
    }
    await expectNothingLeft(daemon);
  });

  test("an agent that is not there and cannot be installed", async () => {
    const absent = stubAgent("absent", { probe: async () => ({ installed: false, credentialsAvailable: false }) });
    const daemon = await startTestDaemon({ extraAgents: [absent] });
    const answer = await daemon.client.call("POST", session("s"), { agent: "absent" });
    expect(answer.status).toBe(404);
    expect(codeOf(answer)).toBe("agent_not_installed");
    await expectNothingLeft(daemon);
  });
});

describe("what is created", () => {
  test("is there even if its agent cannot be opened now, and says why", async () => {
    let attempts = 0;
    const { open } = stubAgent("x", {});
    const moody = stubAgent("moody", {
      open: async (options) => {
        attempts += 1;
        if (attempts === 1) throw new SandboxError("agent_process_exited", "Sign in first.");
        return open(options);
      },
    });
    const { client } = await startTestDaemon({ extraAgents: [moody] });
    const answer = await client.call("POST", session("s"), { agent: "moody" });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      healthy: false,
      error: { type: "agent_process_exited", message: "Sign in first.", agent: "moody", session_id: "s" },
    });
    const events = await client.turn("s", "hello");
    expect(events.at(-1)).toMatchObject({ type: "turn.ended", data: { metadata: { reason: "completed" } } });
    await client.soundLog("s");
  });

  test("shows what it was created with, but no secrets", async () => {
    const directory = temporaryDirectory();
    const { client } = await startTestDaemon();
    const request = {
      agentMode: "plan",
      permissionMode: "bypass",
      model: "mock-1",
      variant: "high",
      title: "A title",
      directory,
      mcp: { files: { type: "local", command: "x", env: { KEY: "v" } } },
      skills: { sources: [{ type: "github", source: "a/b" }] },
    };
    await client.create("s", request);
    const info = await client.info("s");
    expect(SessionInfo.parse(info)).toEqual(info);
    expect(info).toMatchObject({
      ...request,
      mcp: { files: { type: "local", command: "x", env: { KEY: "[hidden]" } } },
      sessionId: "s",
      agent: "mock",
      ended: false,
      status: "idle",
      eventCount: 1,
    });
    expect(info.nativeSessionId).toMatch(/^mock-/);
  });

  test("does not show the environment it was given", async () => {
    const { client } = await startTestDaemon();
    await client.create("s", { env: { SECRET: "hush" } });
    expect((await client.call("GET", session("s"))).text).not.toContain("hush");
    expect((await client.call("GET", `${session("s")}/events?includeRaw=true`)).text).not.toContain("hush");
  });

  test("is listed newest first", async () => {
    const { client } = await startTestDaemon();
    const ids = ["one", "two", "three", "four", "five", "six"];
    for (const id of ids) await client.create(id);
    const list = (await client.call("GET", "/v1/sessions")).json<{ sessions: SessionInfo[] }>();
    expect(list.sessions.map(({ sessionId }) => sessionId)).toEqual(ids.toReversed());
  });
});

describe("ids", () => {
  test.each([
    "test/session",
    "../../etc/passwd",
    "a b",
    "100%",
    "%2F",
    "%252F",
    "grüße",
    "你好",
    "👩‍🚀",
    "__proto__",
    "constructor",
    "a?b#c",
    "a\nb",
    "a\0b",
    "CON",
    "Case",
    '"quoted"\\',
    "...",
    "~",
    "x".repeat(512),
  ])("%j works everywhere", async (id) => {
    const dataDir = temporaryDirectory();
    const first = await startTestDaemon({ dataDir });
    await first.client.create(id);
    await first.client.turn(id, "echo hello");
    expect((await first.client.info(id)).sessionId).toBe(id);
    const events = await first.client.soundLog(id);
    expect(events.every((event) => event.session_id === id)).toBe(true);
    expect((await first.client.call("POST", session(id), { agent: "mock" })).status).toBe(409);
    await first.close();

    const second = await startTestDaemon({ dataDir });
    expect(await second.client.events(id)).toEqual(events);
    expect((await second.client.call("DELETE", session(id))).status).toBe(204);
    expect((await second.client.call("GET", session(id))).status).toBe(404);
    expect(sessionFolders(second)).toEqual([]);
  });

  test("that differ in case only are two sessions", async () => {
    const { client } = await startTestDaemon();
    await client.create("same");
    await client.create("Same");
    await client.turn("same", "echo x");
    expect(await client.events("Same")).toHaveLength(1);
  });
});

describe("titles", () => {
  test("the first message is the title, unless one was given", async () => {
    const { client } = await startTestDaemon();
    await client.create("untitled");
    await client.create("titled", { title: "Given" });
    for (const id of ["untitled", "titled"]) {
      await client.turn(id, `\n  echo ${"long ".repeat(40)}\nsecond line`);
      await client.turn(id, "echo later");
    }
    const { title } = await client.info("untitled");
    expect(title).toMatch(/^echo long long .*…$/);
    expect(title).toHaveLength(80);
    expect((await client.info("titled")).title).toBe("Given");
  });
});
