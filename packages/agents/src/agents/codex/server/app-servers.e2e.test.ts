import { access, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { expectSound } from "../../../contract/agent-contract.ts";
import { mcpServerConfig } from "../../../contract/contract-fixtures.ts";
import { when } from "../../../contract/scripted-world.ts";
import { assistantText, eventsOf } from "../../../contract/stream-readers.ts";
import { type CodexWorld, keyConfig, loginConfig, makeCodexWorld } from "../__fixtures__/open-codex.ts";
import { programProblem } from "../__fixtures__/program-problem.ts";
import { adapter } from "../index.ts";

const greeting = when("Greet me.", { text: "Good morning.", repeat: "forever" });
const counting = when("Count.", { text: ["One, ", "two"], hang: true });

afterEach(() => adapter.close?.());

async function makeWorld(options: Parameters<typeof makeCodexWorld>[0]): Promise<CodexWorld> {
  const world = await makeCodexWorld(options);
  onTestFinished(() => world.dispose());
  return world;
}

async function servers(world: CodexWorld): Promise<number[]> {
  const processes = await world.processes();
  return processes.filter(({ commandLine }) => commandLine.includes(" app-server ")).map(({ pid }) => pid);
}

/** Codex gives MCP servers an environment of their own, without the mark by which we know our processes. */
async function childrenOf(pid: number): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8")));
  return lists.flatMap((list) => list.split(" ").filter(Boolean));
}

describe.skipIf(programProblem)(`app-servers${programProblem ? ` (skipped: ${programProblem})` : ""}`, () => {
  test("sessions share a server, one with another environment has its own, which goes with it", async () => {
    const world = await makeWorld({
      conversations: [greeting],
      config: keyConfig,
      env: () => ({ SCRIPTED_KEY: "key-of-all" }),
    });
    const shared = await Promise.all(Array.from({ length: 4 }, () => world.open()));
    await Promise.all(shared.map((harness) => harness.prompt("Greet me.")));
    expect(await servers(world)).toHaveLength(1);

    const own = await world.open({ env: { SCRIPTED_KEY: "key-of-one" } });
    await own.prompt("Greet me.");
    expect(await servers(world)).toHaveLength(2);
    expect(world.model.requests.at(-1)?.headers.authorization).toBe("Bearer …-one");
    await own.dispose();
    expect(await servers(world)).toHaveLength(1);

    await Promise.all(shared.map((harness) => harness.dispose()));
    expect(adapter.serverStatus?.()).toMatchObject({ status: "running", restartCount: 0 });
    await adapter.close?.();
    expect(await world.processes()).toEqual([]);
  });

  test("a key in the environment becomes a login in a home of our own, with the user's config", async () => {
    const world = await makeWorld({
      conversations: [greeting],
      config: loginConfig,
      env: () => ({ OPENAI_API_KEY: "sk-in-the-environment" }),
    });
    const harness = await world.open();
    const { events } = await harness.prompt("Greet me.");
    expect(assistantText(events)).toBe("Good morning.");
    expect(world.model.requests.at(-1)?.headers.authorization).toBe("Bearer …ment");
    const [home] = (await readdir(world.host.dataDir)).filter((name) => name.startsWith("home-"));
    const login = join(world.host.dataDir, home!, "auth.json");
    expect((await stat(login)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(login, "utf8"))).toMatchObject({ OPENAI_API_KEY: "sk-in-the-environment" });
    expect(await readdir(join(world.host.env.HOME!, ".codex"))).toEqual(["config.toml"]);
    await harness.dispose();
  });

  test("the address of a model service in the environment is used where the user's config names none", async () => {
    const world = await makeWorld({
      conversations: [greeting],
      env: (url) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: "sk-environment" }),
    });
    const harness = await world.open();
    expect(assistantText((await harness.prompt("Greet me.")).events)).toBe("Good morning.");
    expect(world.model.requests.at(-1)?.headers.authorization).toBe("Bearer …ment");
    await expect(access(join(world.host.env.HOME!, ".codex", "auth.json"))).rejects.toThrow();
    await harness.dispose();
  });

  test("a server that dies takes only the running turns with it", async () => {
    const world = await makeWorld({
      conversations: [greeting, counting],
      config: keyConfig,
      env: () => ({ SCRIPTED_KEY: "key" }),
    });
    const [busy, idle] = await Promise.all([world.open(), world.open()]);
    await idle.prompt("Greet me.");
    const lost = expect(busy.prompt("Count.")).rejects.toMatchObject({ code: "agent_process_exited" });
    while ((await busy.next("item.delta")).source !== "agent");
    await world.killPrograms();
    await lost;
    expect(adapter.serverStatus?.()).toMatchObject({ status: "error", lastError: expect.stringContaining("SIGKILL") });

    const nativeId = idle.nativeSessionId;
    expect((await idle.prompt("Greet me.")).outcome.reason).toBe("completed");
    expect(idle.nativeSessionId).toBe(nativeId);
    expect(adapter.serverStatus?.()).toMatchObject({ status: "running", restartCount: 1 });
    expectSound(idle);
    await Promise.all([busy.dispose(), idle.dispose()]);
  });

  test("a server that is stopped (SIGSTOP) is replaced: turns on it end, sessions go on", {
    timeout: 120_000,
  }, async () => {
    const world = await makeWorld({
      conversations: [greeting, counting],
      config: keyConfig,
      env: () => ({ SCRIPTED_KEY: "key" }),
    });
    const [busy, idle] = await Promise.all([world.open(), world.open()]);
    await idle.prompt("Greet me.");
    const counted = busy.prompt("Count.");
    while ((await busy.next("item.delta")).source !== "agent");
    const [frozen] = await servers(world);
    process.kill(frozen!, "SIGSTOP");
    await busy.interrupt();
    expect((await counted).outcome.reason).toBe("interrupted");
    expect(await servers(world)).not.toContain(frozen);

    const nativeId = idle.nativeSessionId;
    expect((await idle.prompt("Greet me.")).outcome.reason).toBe("completed");
    const [next] = await servers(world);
    process.kill(next!, "SIGSTOP");
    expect((await idle.prompt("Greet me.")).outcome.reason).toBe("completed");
    expect(idle.nativeSessionId).toBe(nativeId);
    const [third] = await servers(world);
    process.kill(third!, "SIGSTOP");
    const another = await world.open();
    expect((await another.prompt("Greet me.")).outcome.reason).toBe("completed");
    for (const harness of [busy, idle, another]) expectSound(harness);
    await Promise.all([busy.dispose(), idle.dispose(), another.dispose()]);
  });

  test("closing a session ends its MCP servers, and the server goes on", async () => {
    const world = await makeWorld({
      conversations: [greeting],
      config: keyConfig,
      env: () => ({ SCRIPTED_KEY: "key" }),
    });
    const harness = await world.open({ mcp: { contract: mcpServerConfig } });
    await harness.prompt("Greet me.");
    const [server] = await servers(world);
    expect(await childrenOf(server!)).toHaveLength(1);
    await harness.close();
    expect(await childrenOf(server!)).toEqual([]);
    expect(await servers(world)).toHaveLength(1);
    await harness.dispose();
  });

  test("a model service that cannot be reached is given up, with a sentence that says so", async () => {
    const world = await makeWorld({
      conversations: [greeting],
      config: () => `${keyConfig("http://127.0.0.1:1/v1")}request_max_retries = 0\nstream_max_retries = 0\n`,
      env: () => ({ SCRIPTED_KEY: "key" }),
    });
    const harness = await world.open();
    const { outcome, events } = await harness.prompt("Greet me.");
    expect(outcome).toMatchObject({ reason: "error", message: expect.stringContaining("cannot be reached") });
    expect(eventsOf(events, "error").map(({ data }) => data.code)).toEqual(["connection_failed"]);
    await harness.dispose();
  });

  test("a conversation that is not there any more is begun anew, and that is said", async () => {
    const world = await makeWorld({
      conversations: [greeting],
      config: keyConfig,
      env: () => ({ SCRIPTED_KEY: "key" }),
    });
    const session = {
      sessionId: "s",
      agentMode: "build",
      permissionMode: "default",
      env: {},
      model: "gpt-5.5",
    } as const;
    const told: unknown[] = [];
    const ids: string[] = [];
    const agent = await adapter.open({
      host: world.host,
      session: { ...session, directory: await world.makeDirectory({}) },
      nativeSessionId: "01a1e100-0000-7000-8000-000000000000",
      itemPrefix: "i",
      emit: (drafts) => told.push(...drafts),
      setNativeSessionId: (id) => ids.push(id),
      remember() {},
    });
    const outcome = await agent.prompt({ turnId: "t", message: "Greet me.", attachments: [] });
    expect(outcome.reason).toBe("completed");
    const status = { kind: "status", content: [{ label: "Conversation lost" }] };
    expect(told[1]).toMatchObject({ type: "item.completed", data: { item: status } });
    expect(ids).toHaveLength(1);
    await agent.close();
  });

  test("what Codex cannot do is refused when the session is opened, with what to do", async () => {
    const world = await makeWorld({ conversations: [greeting], config: keyConfig });
    const source = { type: "git", source: "elsewhere" } as const;
    await expect(world.open({ skills: { sources: [source] } })).rejects.toThrow("fetched from elsewhere");
    const sse = { type: "remote", url: "http://127.0.0.1:1/sse", transport: "sse" } as const;
    await expect(world.open({ mcp: { old: sse } })).rejects.toMatchObject({ code: "invalid_request" });
  });
});
