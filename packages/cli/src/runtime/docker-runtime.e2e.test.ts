/** The runtime as a person starts it on Docker: a real agent in a container, which somebody removes by hand. */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { type ProvokingMessage, scriptOf } from "@sandbox-agent-ts/agents/contract";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { prepareCli } from "../../../../scripts/setup.mjs";
import { type AgentUnderTest, agentsUnderTest } from "../../../daemon/src/agents-e2e/__fixtures__/scenarios.ts";
import { buildImage } from "../../../runtime/src/sandboxes/docker/__fixtures__/built-image.ts";
import { type TestEngine, testEngine } from "../../../runtime/src/sandboxes/docker/__fixtures__/test-engine.ts";
import { throughGateway } from "../../../runtime/src/sandboxes/docker/__fixtures__/through-gateway.ts";
import { CliHome } from "../__fixtures__/cli-home.ts";
import { MarkedSandboxes } from "./__fixtures__/marked-sandboxes.ts";
import { adminKey, RuntimeProcess } from "./__fixtures__/runtime-process.ts";

const found = await testEngine();
const missing = "problem" in found ? ` (left out: ${found.problem})` : "";
const image = "sandbox-agent-test-cli:latest";
const systemPrompt = "You are the keeper of the lighthouse.";

describe.skipIf(missing !== "")(`sandbox-agent runtime --provider docker${missing}`, { timeout: 400_000 }, () => {
  const { engine, host } = found as TestEngine;
  const flags = ["--provider", "docker", "--docker-host", host, "--docker-image", image];

  beforeAll(async () => {
    await prepareCli();
    await buildImage(engine, image);
  }, 400_000);

  test("ends what a runtime with local sandboxes left, whose sessions go on in containers", async () => {
    const home = await CliHome.create();
    const local = new MarkedSandboxes(home);
    onTestFinished(() => local.clear());
    const session = `moved-${randomBytes(4).toString("hex")}`;
    const things = thingsOf(session);
    onTestFinished(things.remove);
    const first = await RuntimeProcess.start(home, { flags: ["--isolation", "none"] });
    const say = ["run", "--session", session, "--agent", "mock", "--token", adminKey];
    expect(await home.run([...say, "--endpoint", first.url, "echo one"])).toMatchObject({ code: 0 });
    await first.end("SIGTERM");
    expect(local.folders).toHaveLength(1);

    const next = await RuntimeProcess.start(home, { flags });
    await vi.waitFor(
      () => expect([local.folders, local.processes.filter(({ sandbox }) => sandbox)]).toEqual([[], []]),
      {
        timeout: 60_000,
      },
    );
    const { code, stdout } = await home.run([...say, "--endpoint", next.url, "echo two"]);
    expect([code, stdout, (await things.containers()).length]).toEqual([0, "two\n", 1]);
    await next.end("SIGTERM");
  });

  test("finds files and conversation again in a new container, and shows another user nothing of them", async () => {
    const agent = (await agentsUnderTest()).find(({ adapter }) => adapter.id === "claude")!;
    const { write, greet } = messagesOf(agent);
    const { env, model } = await worldOf(agent);
    const home = await CliHome.create();
    const profile = join(home.path, "profiles", "keeper");
    mkdirSync(profile, { recursive: true });
    writeFileSync(join(profile, "system-prompt.md"), systemPrompt);
    const doctor = await home.json<{ checks: { ok: boolean }[] }>(
      "runtime",
      "doctor",
      "--port",
      "0",
      ...flags,
      "--json",
    );
    expect(doctor.checks.filter(({ ok }) => !ok)).toEqual([]);
    const runtime = await RuntimeProcess.start(home, {
      flags: [...flags, "--profiles-dir", join(home.path, "profiles")],
      env,
    });
    const [ann, bob] = [await userOf(home, runtime, "ann"), await userOf(home, runtime, "bob")];
    const session = `task-${randomBytes(4).toString("hex")}`;
    const things = thingsOf(session);
    onTestFinished(things.remove);

    const create = ["--agent", agent.adapter.id, "--profile", "keeper", "--session", session, "--yes"];
    expect(await ann("run", ...create, write.message)).toMatchObject({ code: 0 });
    expect(model?.requests.at(-1)?.system).toContain(systemPrompt);
    const [container] = await things.containers();
    await engine.call("DELETE", `/containers/${container}`, { query: { force: true } });
    await expectToGoOn();
    expect(await things.containers()).not.toContain(container);
    const generation = async () =>
      JSON.parse((await ann("sessions", "get", session, "--json")).stdout).runtime.sandbox.generation;
    expect(await generation()).toBe(1);

    await things.remove();
    await expectToGoOn();
    expect(await generation()).toBe(2);

    expect(JSON.parse((await bob("sessions", "list", "--json")).stdout)).toEqual({ sessions: [] });
    for (const command of ["get", "events"]) {
      const { code, stderr } = await bob("sessions", command, session);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no session \\"${session}\\".`)]);
    }
    expect(await bob("fs", "read", "note.txt", "--session-id", session)).toMatchObject({ code: 1, stdout: "" });

    expect(await ann("sessions", "delete", session)).toMatchObject({ code: 0 });
    expect([await things.containers(), await things.volumes()]).toEqual([[], []]);
    await runtime.end("SIGTERM");

    async function expectToGoOn(): Promise<void> {
      expect(await ann("run", "--session", session, greet.message)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(greet.replies!),
      });
      const { system, messages } = model!.requests.at(-1)!;
      expect(system).toContain(systemPrompt);
      expect(messages.map(({ text }) => text).join("\n")).toContain(write.message);
      const [[name, content]] = Object.entries(write.leaves!) as [[string, string]];
      expect((await ann("fs", "read", name, "--session-id", session)).stdout).toBe(content);
    }
  });

  /** What the engine has of a session. */
  function thingsOf(session: string) {
    const query = { all: true, filters: { label: [`session=${session}`] } };
    const containers = async () =>
      (await engine.call<{ Id: string }[]>("GET", "/containers/json", { query })).map(({ Id }) => Id);
    const volumes = async () => {
      const { Volumes } = await engine.call<{ Volumes: { Name: string }[] | null }>("GET", "/volumes", { query });
      return (Volumes ?? []).map(({ Name }) => Name);
    };
    const remove = async () => {
      for (const id of await containers()) await engine.call("DELETE", `/containers/${id}`, { query: { force: true } });
      for (const name of await volumes()) await engine.call("DELETE", `/volumes/${name}`);
    };
    return { containers, volumes, remove };
  }

  /** The environment of a runtime whose agents find their scripted model from inside of containers. */
  async function worldOf({ scenario }: AgentUnderTest) {
    const top = mkdtempSync(join(tmpdir(), "docker-runtime-"));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    const { env = {}, model, dispose } = (await scenario.prepare?.({ home: top, script: scriptOf(scenario) })) ?? {};
    onTestFinished(() => dispose?.());
    const places = Object.entries(env).filter(([, value]) => !value.startsWith(top));
    return {
      model,
      env: { ...(await throughGateway(found as TestEngine, Object.fromEntries(places))), ...registry() },
    };
  }
});

function messagesOf({ scenario }: AgentUnderTest) {
  const { fileWrite, text } = scenario.provoke;
  return { write: fileWrite as ProvokingMessage, greet: text as ProvokingMessage };
}

/** How packages are fetched here, and those that were fetched before. */
function registry(): Record<string, string> {
  const wanted = /^(SANDBOX_AGENT_(CACHE_DIR|NPM_REGISTRY)|NODE_EXTRA_CA_CERTS|npm_config_.*)$/;
  const kept = Object.entries(process.env).filter(([name]) => wanted.test(name)) as [string, string][];
  return { npm_config_userconfig: join(homedir(), ".npmrc"), ...Object.fromEntries(kept) };
}

/** Somebody with a key of his own, at the command line. */
async function userOf(home: CliHome, { url }: RuntimeProcess, name: string) {
  const { key } = await home.json<{ key: string }>("runtime", "keys", "create", "--name", name, "--json");
  return (...args: string[]) => home.run([...args, "--endpoint", url, "--token", key]);
}
