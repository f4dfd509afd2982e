// A daemon in the background: it outlives the command that started it, is found again, and is ended by its own name only.
import { once } from "node:events";
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processStartTime } from "@sandbox-agent-ts/agents/process-identity";
import { beforeEach, describe, expect, it } from "vitest";
import { CliHome } from "../__fixtures__/cli-home.ts";

interface Started {
  alreadyRunning: boolean;
  pid: number;
  url: string;
  log: string;
}

let home: CliHome;

beforeEach(async () => {
  home = await CliHome.create();
});

const start = (...flags: string[]) => home.json<Started>("daemon", "start", "--port", "0", "--json", ...flags);

describe("daemon start", () => {
  it("answers when the daemon does, and a second one finds the first", async () => {
    const first = await start();
    expect(first.alreadyRunning).toBe(false);
    expect((await fetch(`${first.url}/v1/health`)).status).toBe(200);
    expect(await start()).toEqual({ ...first, alreadyRunning: true });
  });

  it("at the same time as another makes one daemon, which both tell of", async () => {
    const [one, two] = await Promise.all([start(), start()]);
    expect(one.pid).toBe(two.pid);
    expect([one.alreadyRunning, two.alreadyRunning].toSorted()).toEqual([false, true]);
  });

  it("generates a token that the CLI of the same user can use and nobody else can read", async () => {
    const { url, log } = await start();
    home.env.SANDBOX_AGENT_ENDPOINT = url;
    expect((await home.run(["sessions", "list"])).code).toBe(0);
    expect((await fetch(`${url}/v1/sessions`)).status).toBe(401);
    const record = readFileSync(join(home.dataDir, "daemon.json"), "utf8");
    const { token } = JSON.parse(record) as { token: string };
    expect(statSync(join(home.dataDir, "daemon.json")).mode & 0o077).toBe(0);
    expect(statSync(log).mode & 0o077).toBe(0);
    expect(readFileSync(log, "utf8")).not.toContain(token);
  });

  it("makes a data directory that nobody else can look into", async () => {
    const { url } = await start("--no-token");
    home.env.SANDBOX_AGENT_ENDPOINT = url;
    expect((await home.run(["sessions", "create", "s", "--agent", "mock"])).code).toBe(0);
    expect(statSync(home.dataDir).mode & 0o077).toBe(0);
    expect(statSync(join(home.dataDir, "sessions")).mode & 0o077).toBe(0);
  });

  it("does not write its log through a link", async () => {
    const theirs = join(home.path, "theirs");
    writeFileSync(theirs, "theirs");
    mkdirSync(home.dataDir);
    symlinkSync(theirs, join(home.dataDir, "daemon.log"));
    const { code, stderr } = await home.run(["daemon", "start", "--port", "0"]);
    expect(code).not.toBe(0);
    expect(stderr).toContain("daemon.log is not a regular file. Remove it");
    expect(readFileSync(theirs, "utf8")).toBe("theirs");
  });

  it("hands a given token on where ps does not show it", async () => {
    const { pid, url } = await start("--token", "given-secret");
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain("given-secret");
    expect(readFileSync(join(home.dataDir, "daemon.json"), "utf8")).not.toContain("given-secret");
    const answer = await fetch(`${url}/v1/sessions`, { headers: { authorization: "Bearer given-secret" } });
    expect(answer.status).toBe(200);
  });

  it("gives the daemon a session of its own", async () => {
    const { pid } = await start();
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [, , group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    expect([group, session]).toEqual([String(pid), String(pid)]);
  });

  it("shows the log of a daemon that could not start", async () => {
    const { url } = await start();
    const other = await CliHome.create();
    const port = new URL(url).port;
    const { code, stderr } = await other.run(["daemon", "start", "--port", port]);
    expect(code).toBe(1);
    const problem = JSON.parse(stderr);
    expect(problem.detail).toContain("did not start");
    expect(problem.details.log).toContain("EADDRINUSE");
  });
});

describe("daemon status and stop", () => {
  it("tell of a daemon that runs, and of none", async () => {
    expect((await home.run(["daemon", "status"])).code).toBe(1);
    const { pid, url } = await start();
    expect(await home.json("daemon", "status", "--json")).toMatchObject({ running: true, healthy: true, pid, url });
    expect(await home.json("daemon", "stop", "--json")).toEqual({ pid, outcome: "stopped" });
    expect(processStartTime(pid)).toBeNull();
    const { code, stdout } = await home.run(["daemon", "status", "--json"]);
    expect([code, JSON.parse(stdout).running]).toEqual([1, false]);
    expect(await home.json("daemon", "stop", "--json")).toEqual({ outcome: "not running" });
  });

  it("know a daemon in the foreground of the same data directory too", async () => {
    const { log } = await start();
    expect(await home.json("daemon", "status", "--json")).toMatchObject({ log });
    await home.run(["daemon", "stop"]);
    const { server } = await home.startServer();
    const status = await home.json<object>("daemon", "status", "--json");
    expect(status).toMatchObject({ running: true, pid: server.pid });
    expect(status, "the log of the daemon before").not.toHaveProperty("log");
    const exit = once(server, "exit");
    expect(await home.json("daemon", "stop", "--json")).toMatchObject({ outcome: "stopped" });
    expect(await exit).toEqual([0, null]);
  });

  it("keep sessions for the next start", async () => {
    home.env.SANDBOX_AGENT_ENDPOINT = (await start()).url;
    await home.json("sessions", "create", "kept", "--agent", "mock");
    await home.run(["daemon", "stop"]);
    home.env.SANDBOX_AGENT_ENDPOINT = (await start()).url;
    expect((await home.run(["sessions", "list"])).stdout).toMatch(/^kept +mock/m);
  });
});
