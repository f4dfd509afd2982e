/**
 * Feared: a container that is paused, removed or stopped with its engine by somebody else, and with it
 * a session that hangs, forgets or leaves something behind.
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProvokingMessage, scriptOf } from "@sandbox-agent-ts/agents/contract";
import { checkStream } from "@sandbox-agent-ts/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { cacheDirectory } from "../../../../../scripts/cache-directory.mjs";
import { endEngine, startEngine } from "../../../../../scripts/docker-engine.mjs";
import { programOf } from "../../../../daemon/src/agents-e2e/__fixtures__/agent-world.ts";
import { agentsUnderTest } from "../../../../daemon/src/agents-e2e/__fixtures__/scenarios.ts";
import {
  startTestRuntime,
  type TestRuntime,
  type TestRuntimeOptions,
  turnsOf,
} from "../../__fixtures__/test-runtime.ts";
import { dockerUnderTest } from "./__fixtures__/docker-under-test.ts";
import { baseMounts, engineIn, enginePid, type TestEngine, testEngine } from "./__fixtures__/test-engine.ts";
import { throughGateway } from "./__fixtures__/through-gateway.ts";

const found = await testEngine();
const missing = "problem" in found ? ` (left out: ${found.problem})` : "";
const long = 240_000;

async function startOn(engine: TestEngine, options: TestRuntimeOptions = {}, mounts: Record<string, string> = {}) {
  const docker = dockerUnderTest(engine, { mounts: { ...baseMounts, ...mounts } });
  onTestFinished(() => docker.destroy());
  const runtime = await startTestRuntime({ ...options, makeProvider: docker.another });
  const idOf = async (session: string) => (await runtime.store.sandboxOf(session))!.providerId;
  return { ...runtime, docker, idOf };
}

async function say({ client }: Pick<TestRuntime, "client">, message: string, turn: number) {
  await client.postMessage("s", { message });
  const events = await turnsOf(client, "s", turn);
  expect(checkStream(events)).toEqual([]);
  return events.at(-1);
}

const completed = { type: "turn.ended", data: { metadata: { reason: "completed" } } };

describe.skipIf(missing !== "")(`sessions in containers${missing}`, { timeout: long }, () => {
  const { engine } = found as TestEngine;

  test("a container that is paused by somebody else is told, and goes on with the next message", async () => {
    const runtime = await startOn(found as TestEngine);
    const { client, idOf } = runtime;
    await client.createSession("s", { agent: "mock" });
    expect(await say(runtime, "echo one", 1)).toMatchObject(completed);
    const id = await idOf("s");
    const { Config } = await engine.call<{ Config: { Labels: object } }>("GET", `/containers/${id}/json`);
    expect(Config.Labels).toMatchObject({
      "sandbox-agent-store": runtime.store.storeId,
      session: "s",
      generation: "1",
    });
    const sandbox = async () => (await client.getSession("s")).runtime?.sandbox;
    // The engine's events are followed from the start on, but not before it has answered.
    await expect
      .poll(
        async () => {
          await engine.call("POST", `/containers/${id}/unpause`).catch(() => {});
          await engine.call("POST", `/containers/${id}/pause`);
          return sandbox();
        },
        { timeout: 20_000 },
      )
      .toMatchObject({ status: "unhealthy", statusMessage: expect.stringContaining("paused by somebody else") });
    expect(await say(runtime, "echo two", 2)).toMatchObject(completed);
    expect(await sandbox()).toMatchObject({ status: "ready", generation: 1 });
    await client.deleteSession("s");
    expect(await runtime.docker.leftovers(id)).toEqual([]);
  });

  test("a container that was removed is made again with the session and its files in it", async () => {
    const runtime = await startOn(found as TestEngine);
    const { client, idOf } = runtime;
    await client.createSession("s", { agent: "mock" });
    expect(await say(runtime, "echo one", 1)).toMatchObject(completed);
    const first = await idOf("s");
    const path = "/sandbox/workspace/kept.txt";
    await client.writeFsFile({ path, sessionId: "s" }, "kept");
    await engine.call("DELETE", `/containers/${first}`, { query: { force: true, v: true } });
    expect(await say(runtime, "echo two", 2)).toMatchObject(completed);
    expect(await idOf("s")).toBe(first);
    expect(Buffer.from(await client.readFsFile({ path, sessionId: "s" })).toString()).toBe("kept");

    await client.deleteSession("s");
    expect(await runtime.sandboxes()).toEqual([]);
  });

  test("a container whose memory is used up in a turn is told, and the next message is answered with the files kept", async () => {
    const runtime = await startOn(found as TestEngine);
    const { client, idOf, sandboxes } = runtime;
    await client.createSession("s", { agent: "mock", sandbox: { memoryMiB: 256 } });
    const path = "/sandbox/workspace/kept.txt";
    expect(await say(runtime, "echo one", 1)).toMatchObject(completed);
    await client.writeFsFile({ path, sessionId: "s" }, "kept");
    const id = await idOf("s");
    await client.postMessage("s", { message: "permission" });
    await untilEvent(client, "permission.requested");
    await useUpMemory(found as TestEngine, id);
    const events = await turnsOf(client, "s", 2);
    expect(checkStream(events)).toEqual([]);
    const statusMessage = expect.stringContaining("Its memory, 256 MiB, was used up.");
    const metadata = { reason: "error", message: statusMessage };
    expect(events.at(-1)).toMatchObject({ type: "turn.ended", data: { metadata } });
    await expect
      .poll(async () => (await client.getSession("s")).runtime?.sandbox, { timeout: 20_000 })
      .toMatchObject({ status: "ready", restartCount: 1, statusMessage });
    expect(await say(runtime, "echo three", 3)).toMatchObject(completed);
    expect(Buffer.from(await client.readFsFile({ path, sessionId: "s" })).toString()).toBe("kept");
    await client.deleteSession("s");
    expect(await sandboxes()).toEqual([]);
    expect(await runtime.docker.leftovers(id)).toEqual([]);
  });

  const own = "isOwn" in found && found.isOwn ? "" : " (left out: the engine is not ours to restart)";
  test.skipIf(own !== "")(`an engine that is restarted is told, and its sessions go on${own}`, async () => {
    const { other, directory } = await ownEngine();
    const runtime = await startOn(other);
    const { client, idOf } = runtime;
    await client.createSession("s", { agent: "mock" });
    expect(await say(runtime, "echo one", 1)).toMatchObject(completed);
    const id = await idOf("s");
    process.kill(enginePid(directory), "SIGTERM");
    const sandbox = async () => (await client.getSession("s")).runtime?.sandbox?.status;
    await expect.poll(sandbox, { timeout: 30_000, interval: 20 }).toBe("unhealthy");
    expect(await say(runtime, "echo two", 2)).toMatchObject(completed);
    expect(await idOf("s")).toBe(id);
    await client.deleteSession("s");
    expect(await runtime.docker.leftovers(id)).toEqual([]);
  });

  test.skipIf(own !== "")(`a turn goes on when an engine that hung at the runtime's start is back${own}`, async () => {
    const { other, directory } = await ownEngine();
    const first = await startOn(other);
    await first.client.createSession("s", { agent: "mock" });
    await first.client.postMessage("s", { message: "permission" });
    await untilEvent(first.client, "permission.requested");
    const id = await first.idOf("s");
    await first.gateway.close();
    await first.runtime.close();

    const pid = enginePid(directory);
    process.kill(pid, "SIGSTOP");
    onTestFinished(() => void process.kill(pid, "SIGCONT"));
    const second = await first.again({ limits: { providerTimeoutMs: 2_000 } });
    const { client } = second;
    const statusMessage = expect.stringContaining("did not answer within 2000 ms");
    await expect
      .poll(async () => (await client.getSession("s")).runtime?.sandbox, { timeout: 20_000 })
      .toMatchObject({ status: "unhealthy", statusMessage, generation: 1 });
    const { pendingPermissions } = await client.getSession("s");
    await client.replyPermission("s", pendingPermissions![0]!, { reply: "once" });
    process.kill(pid, "SIGCONT");
    const events = await turnsOf(client, "s", 1);
    expect(checkStream(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject(completed);
    expect((await second.store.sandboxOf("s"))!.providerId).toBe(id);
    await client.deleteSession("s");
    expect(await first.docker.leftovers(id)).toEqual([]);
  });

  test("Claude Code works in a container, with its model outside of it", async () => {
    const agent = (await agentsUnderTest()).find(({ adapter }) => adapter.id === "claude")!;
    const home = mkdtempSync(join(tmpdir(), "docker-agent-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const prepared = (await agent.scenario.prepare?.({ home, script: scriptOf(agent.scenario) })) ?? {};
    onTestFinished(() => prepared.dispose?.());
    const programs = join(cacheDirectory(process.env), "programs");
    const reached = await throughGateway(found as TestEngine, prepared.env ?? {});
    const agentEnv = { ...reached, ...(await programOf(agent.adapter)) };
    const runtime = await startOn(found as TestEngine, { agentEnv }, { [programs]: programs });
    const { client } = runtime;
    await client.createSession("s", { agent: "claude" });
    const { message } = agent.scenario.provoke.text as ProvokingMessage;
    expect(await say(runtime, message, 1)).toMatchObject(completed);
    const id = await runtime.idOf("s");
    await engine.call("DELETE", `/containers/${id}`, { query: { force: true } });
    expect(await say(runtime, message, 2)).toMatchObject(completed);
    await client.deleteSession("s");
    expect(await runtime.docker.leftovers(id)).toEqual([]);
  });
});

/** One more engine, which the test may end or stop. */
async function ownEngine() {
  const top = mkdtempSync(join(tmpdir(), "sa-engine-"));
  const directory = join(top, "engine");
  startEngine(directory, process.pid);
  onTestFinished(async () => {
    await endEngine(directory);
    rmSync(top, { recursive: true, force: true });
  });
  return { other: await engineIn(directory), directory };
}

async function untilEvent(client: TestRuntime["client"], type: string): Promise<void> {
  for await (const event of client.streamEvents("s")) if (event.type === type) return;
}

/** A program in the container takes memory until the kernel ends something: the daemon, which is made the first to go. */
async function useUpMemory({ engine }: TestEngine, id: string): Promise<void> {
  const query = { ps_args: "-eo pid,args" };
  const { Processes } = await engine.call<{ Processes: string[][] }>("GET", `/containers/${id}/top`, { query });
  const [pid] = Processes.find(([, args]) => /^\S*node \S*sandbox-agent\.cjs/.test(args ?? ""))!;
  writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
  const script = "const held = []; for (;;) held.push(Buffer.alloc(8_000_000, 1));";
  const exec = await engine.call<{ Id: string }>("POST", `/containers/${id}/exec`, {
    body: { Cmd: ["node", "-e", script] },
  });
  await engine.call("POST", `/exec/${exec.Id}/start`, { body: { Detach: true } });
}
