/** The runtime as a person starts it: one command, SQLite and local sandboxes. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { expect, it } from "vitest";
import { CliHome } from "../__fixtures__/cli-home.ts";

const long = 180_000;

async function start(
  home: CliHome,
): Promise<{ url: string; key: string | undefined; stop(signal: NodeJS.Signals): Promise<void> }> {
  const server = home.spawn("runtime", "--port", "0", "--log-level", "warn");
  let url = "";
  let key: string | undefined;
  for await (const line of createInterface(server.stdout)) {
    url = /URL\s+(\S+)/.exec(line)?.[1] ?? url;
    key = /API key\s+(sak_\S+)/.exec(line)?.[1] ?? key;
    if (/Kept in/.test(line)) break;
  }
  const stop = async (signal: NodeJS.Signals) => {
    server.kill(signal);
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  };
  return { url, key, stop };
}

it(
  "prints a key once, runs a session in a sandbox, and goes on with a turn after kill -9",
  async () => {
    const home = await CliHome.create();
    const first = await start(home);
    expect(first.key).toMatch(/^sak_/);
    const client = await SandboxAgent.connect({ baseUrl: first.url, token: first.key });
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "permission" });
    let asked = "";
    for await (const event of client.streamEvents("s")) {
      if (event.type !== "permission.requested") continue;
      asked = event.data.permission_id;
      break;
    }
    await first.stop("SIGKILL");

    const second = await start(home);
    expect(second.key).toBeUndefined();
    const again = await SandboxAgent.connect({ baseUrl: second.url, token: first.key });
    expect(await again.getSession("s")).toMatchObject({ status: "waiting", pendingPermissions: [asked] });
    await again.replyPermission("s", asked, { reply: "once" });
    let outcome: unknown;
    for await (const event of again.streamEvents("s")) {
      if (event.type !== "turn.ended") continue;
      outcome = event.data.metadata.reason;
      break;
    }
    expect(outcome).toBe("completed");
    await again.deleteSession("s");
    await second.stop("SIGTERM");
  },
  long,
);

it(
  "makes, lists and revokes keys, also while it runs, and says what is wrong",
  async () => {
    const home = await CliHome.create();
    const { url, stop } = await start(home);
    const made = await home.json<{ id: string; key: string; principal: string; scope: string }>(
      "runtime",
      "keys",
      "create",
      "--name",
      "ci",
      "--json",
    );
    expect(made).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^sak_/),
      principal: "ci",
      scope: "write",
    });
    const client = await SandboxAgent.connect({ baseUrl: url, token: made.key });
    expect(await client.listSessions()).toEqual({ sessions: [] });
    const { keys } = await home.json<{ keys: { keyId: string }[] }>("runtime", "keys", "list", "--json");
    expect(keys.map(({ keyId }) => keyId)).toContain(made.id);
    expect(JSON.stringify(keys)).not.toContain("hash");
    expect((await home.run(["runtime", "keys", "revoke", made.id])).code).toBe(0);
    const answer = () =>
      client.listSessions().then(
        () => "let in",
        ({ code }) => code,
      );
    await expect.poll(answer, { timeout: 10_000 }).toBe("token_invalid");
    const wrong = await home.run(["runtime", "keys", "create", "--name", "x", "--scope", "root"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--scope is one of read, write, admin")]);

    const second = await home.run(["runtime", "--port", "0"]);
    expect([second.code, second.stderr]).toEqual([1, expect.stringMatching(/runtime/)]);
    await stop("SIGTERM");
    const doctor = await home.json<{ checks: { name: string; ok: boolean }[] }>(
      "runtime",
      "doctor",
      "--port",
      "0",
      "--json",
    );
    expect(doctor.checks.find(({ name }) => name === "store")).toMatchObject({ ok: true });
  },
  long,
);

it(
  "logs what it does with the ids of session and turn, and none of the secrets it is given",
  async () => {
    const home = await CliHome.create();
    const secrets = {
      model: "sk-ant-secret-of-a-model",
      sealing: "secret-that-seals-the-others",
      key: "sak_secret-of-the-first-key",
      session: "ghp_secret-of-a-session",
    };
    const config = join(home.path, "runtime.json");
    writeFileSync(config, JSON.stringify({ port: 0, logLevel: "debug", limits: { maxOpenTurns: 5 } }));
    const server = home.spawnWith(
      {
        ANTHROPIC_API_KEY: secrets.model,
        SANDBOX_AGENT_SECRET_KEY: secrets.sealing,
        SANDBOX_AGENT_RUNTIME_KEY: secrets.key,
      },
      "runtime",
      "--config",
      config,
    );
    const lines: string[] = [];
    const log = createInterface(server.stderr).on("line", (line) => lines.push(line));
    let url = "";
    for await (const line of createInterface(server.stdout)) {
      url = /URL\s+(\S+)/.exec(line)?.[1] ?? url;
      if (/Kept in/.test(line)) break;
    }
    const client = await SandboxAgent.connect({ baseUrl: url, token: secrets.key });
    await client.createSession("s", { agent: "mock", env: { GITHUB_TOKEN: secrets.session } });
    const { turnId } = await client.postMessage("s", { message: "echo hello" });
    for await (const event of client.streamEvents("s")) if (event.type === "turn.ended") break;
    await fetch(`${url}/ui/?token=${secrets.key}`);
    await client.deleteSession("s");
    server.kill("SIGTERM");
    await Promise.all([once(server, "exit"), once(log, "close")]);
    const told = lines.map((line) => JSON.parse(line) as { msg: string; sessionId?: string; turnId?: string });
    expect(told).toContainEqual(expect.objectContaining({ msg: "a sandbox is ready", sessionId: "s" }));
    expect(told).toContainEqual(
      expect.objectContaining({ msg: "a turn is sent to its sandbox", sessionId: "s", turnId }),
    );
    expect(told).toContainEqual(
      expect.objectContaining({ msg: "a turn ended", sessionId: "s", turnId, reason: "completed" }),
    );
    expect(told).toContainEqual(expect.objectContaining({ msg: "request headers" }));
    for (const secret of Object.values(secrets)) expect(lines.join("\n")).not.toContain(secret);
  },
  long,
);

it(
  "keeps two users apart, tells who did what, and goes on with secrets that were sealed with another key",
  async () => {
    const home = await CliHome.create();
    const first = await start(home);
    const keyOf = async (name: string, ...flags: string[]) =>
      (await home.json<{ key: string }>("runtime", "keys", "create", "--name", name, ...flags, "--json")).key;
    const ann = await keyOf("ann");
    const bob = await keyOf("bob", "--requests-per-minute", "2");
    const list = (url: string, key: string) =>
      fetch(`${url}/api/sessions`, { headers: { authorization: `Bearer ${key}` } });
    const client = await SandboxAgent.connect({ baseUrl: first.url, token: ann });
    await client.createSession("s", { agent: "mock", env: { GITHUB_TOKEN: "ghp_of-ann" } });
    await client.session("s").run("echo hello");
    expect(await (await list(first.url, ann)).json()).toMatchObject({ sessions: [{ sessionId: "s" }] });
    expect(await (await list(first.url, bob)).json()).toEqual({ sessions: [] });
    await list(first.url, bob);
    expect((await list(first.url, bob)).status).toBe(429);
    const running = await home.run(["runtime", "keys", "rotate-secret"]);
    expect([running.code, running.stderr]).toEqual([1, expect.stringMatching(/runtime/)]);
    await first.stop("SIGTERM");

    expect(await home.json("runtime", "keys", "rotate-secret", "--json")).toEqual({ count: 2 });
    const second = await start(home);
    const again = await SandboxAgent.connect({ baseUrl: second.url, token: ann });
    await again.session("s").run("echo again");
    expect((await again.getSession("s")).runtime?.sandbox).toMatchObject({ generation: 1, status: "ready" });
    await again.deleteSession("s");
    const { entries } = await home.json<{ entries: object[] }>("runtime", "audit", "--json");
    expect(entries).toContainEqual(expect.objectContaining({ operation: "runtime keys rotate-secret" }));
    const byAnn = await home.run(["runtime", "audit", "--by", "ann", "--session", "s"]);
    expect(byAnn.stdout).toContain("DELETE /v1/sessions/{sessionId}");
    await second.stop("SIGTERM");
  },
  long,
);

it("says which setting of which file is wrong, also the doctor", async () => {
  const home = await CliHome.create();
  const config = join(home.path, "runtime.json");
  writeFileSync(config, JSON.stringify({ limits: { idleTimeout: 5 } }));
  const refused = await home.run(["runtime", "--config", config]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("limits.idleTimeout: there is no such")]);
  expect(refused.stderr).toContain(config);
  const doctor = await home.run(["runtime", "doctor", "--config", config, "--json"]);
  expect(doctor.code).toBe(1);
  expect(JSON.parse(doctor.stdout).checks).toEqual([
    { name: "config", ok: false, detail: expect.stringContaining("limits.idleTimeout") },
  ]);
});
