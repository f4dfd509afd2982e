/** Feared: an agent that is downloaded again and again, in another version than asked for, or not where it is looked for. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { AgentInfo } from "@sandbox-agent-ts/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { Client, codeOf, session } from "../__fixtures__/client.ts";
import { type InstallableAgent, installableAgent } from "../__fixtures__/installable-agent.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { testOptions } from "../__fixtures__/test-options.ts";
import { startDaemon } from "../daemon.ts";

const install = "/v1/agents/installable/install";

async function infoOf(client: Client, query = ""): Promise<AgentInfo | undefined> {
  const { agents } = (await client.call("GET", `/v1/agents${query}`)).json<{ agents: AgentInfo[] }>();
  return agents.find(({ id }) => id === "installable");
}

function startWith({ agent, env }: InstallableAgent, options: object = {}) {
  return startTestDaemon({ extraAgents: [agent], env, ...options });
}

describe("a session whose agent is missing", () => {
  test("installs it first, once for all who wait", async () => {
    const world = await installableAgent(["1.0.0"]);
    const { client, dataDir } = await startWith(world);
    expect(await infoOf(client)).toMatchObject({ installed: false });
    await Promise.all(["a", "b", "c"].map((id) => client.create(id, { agent: "installable" })));
    expect(world.registry.count("archive")).toBe(1);
    const [opened] = world.opened;
    expect(opened?.path.startsWith(join(dataDir, "programs", "installable", "1.0.0"))).toBe(true);
    expect(await infoOf(client)).toMatchObject({
      installed: true,
      version: "1.0.0",
      path: opened?.path,
      source: "installed",
      pinnedVersion: "1.0.0",
      installedVersions: [{ version: "1.0.0", from: "npm" }],
    });
  });

  test.each([
    ["deleted", "DELETE", session("s")],
    ["terminated", "POST", `${session("s")}/terminate`],
  ])("can be %s while it waits for a registry that does not answer", async (_how, method, path) => {
    const world = await installableAgent(["1.0.0"]);
    const { client } = await startWith(world);
    const asked = new Promise<() => void>((resolve) => {
      world.registry.intercept = (_request, response) => {
        resolve(() => response.destroy());
        return true;
      };
    });
    const created = client.call("POST", session("s"), { agent: "installable" });
    const breakOff = await asked;
    expect((await client.call(method, path)).status).toBe(204);
    const answer = await created;
    expect([answer.status, codeOf(answer)]).toEqual([409, "session_ended"]);
    world.registry.intercept = undefined;
    breakOff();
    await client.create("s", { agent: "installable" });
  });

  test("runs in the version it asks for, beside sessions that ask for none", async () => {
    const world = await installableAgent(["1.0.0", "2.0.0"]);
    const { client } = await startWith(world);
    await client.create("a", { agent: "installable" });
    await client.create("b", { agent: "installable", agentVersion: "2.0.0" });
    await client.create("c", { agent: "installable" });
    expect(world.opened.map(({ version }) => version)).toEqual(["1.0.0", "2.0.0", "1.0.0"]);
    expect(await infoOf(client)).not.toHaveProperty("newestVersion");
    expect(await infoOf(client, "?newest=true")).toMatchObject({
      version: "1.0.0",
      pinnedVersion: "1.0.0",
      newestVersion: "2.0.0",
      installedVersions: [{ version: "2.0.0" }, { version: "1.0.0" }],
    });
  });

  test("keeps the version it began with, whatever is installed later, and gets it again when it is gone", async () => {
    const world = await installableAgent(["1.0.0", "2.0.0"]);
    const daemon = await startWith(world);
    const { client, dataDir } = daemon;
    await client.create("b", { agent: "installable" });
    await client.create("a", { agent: "installable", agentVersion: "2.0.0" });
    expect((await client.call("GET", session("a"))).json()).toMatchObject({ agentVersion: "2.0.0" });
    expect((await client.call("GET", session("b"))).json()).toMatchObject({ agentVersion: "1.0.0" });
    await daemon.close();
    rmSync(join(dataDir, "programs"), { recursive: true });
    const again = await startWith(world, { dataDir });
    await again.client.call("POST", install);
    await again.client.turn("a", "hello");
    expect(world.opened.map(({ version }) => version)).toEqual(["1.0.0", "2.0.0", "2.0.0"]);
  });

  test("of the latest version has its number from then on", async () => {
    const world = await installableAgent(["1.0.0", "2.0.0"]);
    const { client } = await startWith(world);
    await client.create("a", { agent: "installable", agentVersion: "latest" });
    expect((await client.call("GET", session("a"))).json()).toMatchObject({ agentVersion: "2.0.0" });
    expect(world.opened.map(({ version }) => version)).toEqual(["2.0.0"]);
  });

  test("is refused where installing with a session is switched off, until somebody installs it", async () => {
    const world = await installableAgent(["1.0.0"]);
    const { client } = await startWith(world, { autoInstall: false });
    const refused = await client.call("POST", session("s"), { agent: "installable" });
    expect([refused.status, codeOf(refused)]).toEqual([404, "agent_not_installed"]);
    expect(world.registry.requests).toEqual([]);
    await client.call("POST", install);
    await client.create("s", { agent: "installable" });
  });

  test("is asked for its modes once it is there, in whatever version", async () => {
    const world = await installableAgent(["1.0.0", "2.0.0"]);
    const { client } = await startWith(world);
    const body = { agent: "installable", agentVersion: "2.0.0" };
    const refused = await client.call("POST", session("a"), { ...body, agentMode: "no-such-mode" });
    expect([refused.status, codeOf(refused)]).toEqual([400, "mode_not_supported"]);
    await client.create("b", body);
    expect(world.opened.map(({ version }) => version)).toEqual(["2.0.0"]);
  });

  test.each([
    ["9.9.9", 500, "install_failed"],
    ["../../etc", 400, "invalid_request"],
  ])("is refused with version %s", async (agentVersion, status, code) => {
    const { client } = await startWith(await installableAgent(["1.0.0"]));
    const answer = await client.call("POST", session("s"), { agent: "installable", agentVersion });
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    expect((await client.call("GET", session("s"))).status).toBe(404);
  });

  test("takes the one that the environment names, whatever version is asked for", async () => {
    const world = await installableAgent(["1.0.0"]);
    const env = { ...world.env, SANDBOX_AGENT_INSTALLABLE_BIN: "/bin/sh" };
    const { client } = await startWith({ ...world, env });
    await client.create("a", { agent: "installable", agentVersion: "1.0.0" });
    expect(world.opened).toMatchObject([{ path: "/bin/sh", source: "environment" }]);
    expect(world.registry.requests).toEqual([]);
  });
});

describe("POST install", () => {
  test("installs, does nothing when it is there, and again when told so", async () => {
    const world = await installableAgent(["1.0.0"]);
    const { client } = await startWith(world);
    const installed = (source: string, already_installed: boolean, path: unknown) => ({
      already_installed,
      artifacts: [
        { kind: "program", name: "installable", version: "1.0.0", path, source, downloadedBytes: expect.any(Number) },
      ],
    });
    const answer = await client.call("POST", install);
    const first = await infoOf(client);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual(installed("registry", false, first?.path));
    const second = await client.call("POST", install, { reinstall: false });
    expect(second.json()).toEqual(installed("installed", true, first?.path));
    expect(await infoOf(client)).toEqual(first);
    const third = await client.call("POST", install, { reinstall: true });
    const again = await infoOf(client);
    expect(third.json()).toEqual(installed("cache", false, again?.path));
    expect(again).toMatchObject({ installed: true, version: "1.0.0" });
    expect(again?.path).not.toBe(first?.path);
    expect(existsSync(first!.path!)).toBe(false);
  });

  test("tells what happens meanwhile to whoever takes server-sent events, and last how it ended", async () => {
    const world = await installableAgent(["1.0.0"]);
    const { client } = await startWith(world);
    const events = await client.install("installable");
    const steps = events.map((event) => (event.type === "progress" ? event.step : event.type));
    expect([...new Set(steps)]).toEqual(["registry", "resolve", "download", "unpack", "verify", "installed"]);
    const path = (await infoOf(client))?.path;
    expect(events.at(-1)).toMatchObject({ result: { already_installed: false, artifacts: [{ path }] } });
    const downloads = events.filter((event) => event.type === "progress" && event.step === "download");
    expect(downloads.at(-1)).toMatchObject({ program: "installable", version: "1.0.0", bytes: expect.any(Number) });
    expect(await client.install("installable")).toMatchObject([
      { type: "installed", result: { already_installed: true } },
    ]);
  });

  test("tells a failure in the stream once something was done, and as any problem before", async () => {
    const world = await installableAgent(["1.0.0"]);
    const { client } = await startWith(world);
    world.registry.intercept = (_request, response) => {
      response.writeHead(403).end();
      return true;
    };
    const problem = { type: "urn:sandbox-agent:error:install_failed", status: 500, details: { step: "resolve" } };
    expect((await client.install("installable")).at(-1)).toMatchObject({ type: "failed", problem });
    const accept = { accept: "text/event-stream" };
    const unknown = await client.call("POST", "/v1/agents/nobody/install", undefined, accept);
    expect([unknown.status, codeOf(unknown)]).toEqual([400, "unsupported_agent"]);
  });

  test("of an agent that needs no program says so", async () => {
    const { client } = await startTestDaemon();
    const answer = await client.call("POST", "/v1/agents/mock/install");
    expect([answer.status, answer.json()]).toEqual([200, { already_installed: true, artifacts: [] }]);
  });

  test("says which step failed and where, and the agent works when the reason is gone", async () => {
    const world = await installableAgent(["1.0.0"]);
    const { client } = await startWith(world);
    world.registry.intercept = (_request, response) => {
      response.writeHead(403).end();
      return true;
    };
    const answer = await client.call("POST", install);
    expect(answer.status).toBe(500);
    expect(answer.json()).toMatchObject({
      type: "urn:sandbox-agent:error:install_failed",
      agent: "installable",
      details: { step: "resolve", url: `${world.registry.url}installable-program`, status: 403 },
    });
    world.registry.intercept = undefined;
    await client.create("s", { agent: "installable" });
  });
});

test("daemons that keep nothing share what is installed in the cache", async () => {
  const world = await installableAgent(["1.0.0"]);
  for (let life = 0; life < 2; life++) {
    const daemon = await startDaemon(testOptions({ dataDir: null, env: world.env, extraAgents: [world.agent] }));
    onTestFinished(() => daemon.close());
    await new Client(daemon.url, null).create("s", { agent: "installable" });
    await daemon.close();
  }
  const programs = join(world.env.SANDBOX_AGENT_CACHE_DIR!, "programs");
  expect(world.opened.map(({ path }) => path.startsWith(programs))).toEqual([true, true]);
  expect(world.registry.count("archive")).toBe(1);
});
