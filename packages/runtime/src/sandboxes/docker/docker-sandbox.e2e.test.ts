// What only a container has: what others do to it by the engine, what the engine tells of it, images that are not ours.

import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildCli, cliBundle } from "../../../../../scripts/setup.mjs";
import { runProbe } from "../contract/run-probe.ts";
import { accepts, daemonCommand, until, untilHealthy } from "../contract/sandbox-bench.ts";
import type { Sandbox, SandboxSpec } from "../sandbox-provider.ts";
import { type DockerUnderTest, dockerUnderTest } from "./__fixtures__/docker-under-test.ts";
import { baseImage, type TestEngine, testEngine } from "./__fixtures__/test-engine.ts";

const found = await testEngine();
const missing = "problem" in found ? ` (left out: ${found.problem})` : "";
const long = 120_000;

describe.skipIf(missing !== "")(`a container${missing}`, { timeout: long }, () => {
  const { engine } = found as TestEngine;
  let docker: DockerUnderTest;
  beforeAll(async () => {
    await buildCli();
    docker = dockerUnderTest(found as TestEngine);
  }, 300_000);
  afterAll(() => docker?.destroy());

  const create = async (spec: Partial<SandboxSpec> = {}, { provider } = docker): Promise<Sandbox> => {
    const sandbox = await provider.create({ labels: { suite: "docker" }, bundle: dirname(cliBundle), ...spec });
    onTestFinished(async () => {
      await sandbox.destroy();
      expect(await docker.leftovers(sandbox.id)).toEqual([]);
    });
    return sandbox;
  };

  const runScript = async (sandbox: Sandbox, text: string): Promise<string | undefined> => {
    const path = `${sandbox.paths.workspace}/script.cjs`;
    await sandbox.write([{ path, data: Buffer.from(text) }]);
    await sandbox.start([path], {});
    await until(async () => (await sandbox.status()).state === "failed");
    return (await sandbox.status()).why;
  };

  const startDaemon = async (sandbox: Sandbox, token: string) => {
    await sandbox.start(daemonCommand(sandbox), { SANDBOX_AGENT_TOKEN: token });
    await untilHealthy(sandbox);
  };

  test("has no rights, bounded means, a port on loopback only, and none of the secrets in what the engine shows", async () => {
    const sandbox = await create({ memoryMiB: 512, cpus: 0.5, maxProcesses: 100, env: { PLAIN: "shown" } });
    await startDaemon(sandbox, "s3cret-of-the-daemon");
    const shown = await engine.call<Record<string, never>>("GET", `/containers/${sandbox.id}/json`);
    expect(JSON.stringify(shown)).not.toContain("s3cret");
    expect(shown).toMatchObject({
      Config: {
        User: "1000:1000",
        Env: expect.arrayContaining(["PLAIN=shown"]),
        Labels: { suite: "docker", "sandbox-agent.sandbox": sandbox.id },
      },
      HostConfig: {
        Memory: 512 * 1024 * 1024,
        NanoCpus: 500_000_000,
        PidsLimit: 100,
        ReadonlyRootfs: true,
        CapDrop: ["ALL"],
        SecurityOpt: ["no-new-privileges"],
        Privileged: false,
        LogConfig: { Type: "local", Config: { "max-size": "2m", "max-file": "2" } },
      },
      NetworkSettings: { Ports: { "2468/tcp": [{ HostIp: "127.0.0.1" }] } },
    });
    const volume = await engine.call("GET", `/volumes/${sandbox.id}`);
    expect(JSON.stringify(volume)).not.toContain("s3cret");
    const { Processes } = await engine.call<{ Processes: string[][] }>("GET", `/containers/${sandbox.id}/top`);
    expect(JSON.stringify(Processes)).not.toContain("s3cret");
    const query = { path: "/sandbox/run" };
    const archive = await engine.call<string>("GET", `/containers/${sandbox.id}/archive`, { query });
    expect(archive).not.toContain("s3cret");
  });

  test("whose memory is used up says so, and can be started again", async () => {
    const sandbox = await create({ memoryMiB: 64 });
    const why = await runScript(sandbox, "const held = []; for (;;) held.push(Buffer.alloc(8_000_000, 1));");
    expect(why).toBe("The daemon was ended by SIGKILL. Its memory, 64 MiB, was used up.");
    expect(await runScript(sandbox, "process.exitCode = 4;")).toBe("The daemon ended with exit code 4.");
  });

  test("starts no more processes than are allowed", async () => {
    const sandbox = await create({ maxProcesses: 40 });
    await runScript(
      sandbox,
      `const { spawn } = require("node:child_process");
       let failed = 0;
       for (let i = 0; i < 60; i++) spawn("sleep", ["1000"]).on("error", () => (failed += 1)).unref();
       setImmediate(() => { console.error(failed > 10 && failed < 60 ? "bounded" : "not bounded: " + failed); process.exit(); });`,
    );
    expect(await sandbox.logs(1_000)).toContain("bounded\n");
  });

  test("that somebody removed is made again with what was in it", async () => {
    const sandbox = await create();
    await sandbox.write([{ path: `${sandbox.paths.workspace}/kept.txt`, data: Buffer.from("kept") }]);
    await startDaemon(sandbox, "first");
    await engine.call("DELETE", `/containers/${sandbox.id}`, { query: { force: true, v: true } });
    expect(await sandbox.status()).toEqual({ state: "failed", why: "Its container was removed." });
    await expect(sandbox.endpoint()).rejects.toMatchObject({ code: "stopped" });
    const again = (await docker.another().attach(sandbox.id))!;
    await startDaemon(again, "second");
    expect([await accepts(sandbox, "first"), await accepts(sandbox, "second")]).toEqual([false, true]);
    const { readable } = await probe(again, ["kept.txt"]);
    expect(readable).toEqual([true]);
  });

  const probe = async (sandbox: Sandbox, names: readonly string[]) => {
    await docker.killDaemon(sandbox);
    await until(async () => (await sandbox.status()).state === "failed");
    return runProbe(sandbox, { read: names.map((name) => `${sandbox.paths.workspace}/${name}`) });
  };

  test("that is paused or goes on by somebody else is told", async () => {
    const sandbox = await create();
    await startDaemon(sandbox, "t");
    const told: string[] = [];
    const provider = docker.another();
    const stop = provider.watch!((id) => told.push(id));
    onTestFinished(async () => {
      stop();
      await provider.dispose();
    });
    // Until the stream of events is there nothing is told.
    await expect
      .poll(
        async () => {
          await engine.call("POST", `/containers/${sandbox.id}/pause`);
          await engine.call("POST", `/containers/${sandbox.id}/unpause`);
          return told;
        },
        { timeout: 30_000 },
      )
      .toContain(sandbox.id);
  });

  test("on an internal network is reached, and reaches nothing", async () => {
    const internal = dockerUnderTest(found as TestEngine, { network: "internal" });
    onTestFinished(() => internal.destroy());
    const sandbox = await create({}, internal);
    await startDaemon(sandbox, "t");
    expect(await accepts(sandbox, "t")).toBe(true);
    const { HostConfig } = await engine.call<{ HostConfig: object }>("GET", `/containers/${sandbox.id}/json`);
    expect(HostConfig).toMatchObject({ NetworkMode: "sandbox-agent-internal" });
    expect(await engine.call("GET", "/networks/sandbox-agent-internal")).toMatchObject({ Internal: true });
    const checks = await internal.provider.check();
    expect(checks.find(({ name }) => name === "network")?.detail).toContain("no way out");
  });

  test("writes through no link that was planted", async () => {
    const sandbox = await create();
    await runScript(
      sandbox,
      `require("node:fs").symlinkSync("/tmp", "folder"); require("node:fs").writeFileSync("file", "");`,
    );
    const { workspace } = sandbox.paths;
    for (const path of [`${workspace}/folder/x`, `${workspace}/file/x`]) {
      await expect(sandbox.write([{ path, data: Buffer.from("1") }])).rejects.toThrow("a link or a file");
    }
  });

  test("of an image that is not there is refused with what to do, also by check", async () => {
    const sentence = /no image "nowhere:1".*docker pull nowhere:1.*image build --tag nowhere:1/;
    await expect(create({ image: "nowhere:1" })).rejects.toThrow(sentence);
    const other = dockerUnderTest(found as TestEngine, { image: "nowhere:1" });
    onTestFinished(() => other.destroy());
    const checks = await other.provider.check();
    expect(checks.filter(({ ok }) => !ok)).toEqual([
      { name: "image", ok: false, detail: expect.stringMatching(sentence) },
    ]);
    expect((await docker.provider.check()).filter(({ ok }) => !ok)).toEqual([]);
    expect(JSON.stringify(checks)).toContain("engine");
  });

  test("of an image without a shell says so", async () => {
    const bare = dockerUnderTest(found as TestEngine, { mounts: {}, image: baseImage });
    onTestFinished(() => bare.destroy());
    const sandbox = await create({}, bare);
    await sandbox.start(["x"], {});
    await until(async () => (await sandbox.status()).state === "failed");
    expect((await sandbox.status()).why).toContain("exit code 127");
    expect(await sandbox.logs(1_000)).toContain("/bin/sh");
  });
});

test("an engine that does not answer is said, with what to do, and loses nothing", async () => {
  const away = dockerUnderTest({ ...(found as TestEngine), host: "unix:///nowhere/docker.sock" });
  const sentence = /engine at \/nowhere\/docker.sock does not answer \(ENOENT\).*Start Docker, or say where it listens/;
  expect(await away.provider.check()).toEqual([{ name: "engine", ok: false, detail: expect.stringMatching(sentence) }]);
  await expect(away.provider.create({ labels: {}, bundle: "/" })).rejects.toMatchObject({ code: "unavailable" });
  const sandbox = await away.provider.attach("sa-0123456789abcdef");
  await expect(sandbox!.status()).rejects.toMatchObject({ code: "unavailable" });
});
