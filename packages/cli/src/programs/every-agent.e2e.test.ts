/** Feared: agents that can be installed only where there is an npm, a shell full of tools, or what we have at home. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { loadAgents } from "@sandbox-agent-ts/agents";
import { findRegistries } from "@sandbox-agent-ts/agents/install";
import { expect, test } from "vitest";
import { CliHome } from "../__fixtures__/cli-home.ts";

const patienceMs = 10_000;
const wholeMs = 600_000;

/** Every package once, and on a machine that tested before nothing. */
async function registryHere(): Promise<string | undefined> {
  try {
    const { url } = (await findRegistries(process.env))("mkdirp");
    const { ok } = await fetch(`${url}mkdirp`, { method: "HEAD", signal: AbortSignal.timeout(patienceMs) });
    return ok ? url : undefined;
  } catch {
    return undefined;
  }
}

const registry = await registryHere();
const reason = registry === undefined ? " (not now: the registry npm is configured for cannot be reached)" : "";

test.skipIf(!registry)(
  `every agent is installed on a machine that has Node and nothing else, and starts${reason}`,
  async () => {
    const home = await CliHome.create();
    const bin = join(home.path, "bin");
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, "node"));
    Object.assign(home.env, {
      PATH: bin,
      SANDBOX_AGENT_NPM_REGISTRY: registry,
      SANDBOX_AGENT_CACHE_DIR: process.env.SANDBOX_AGENT_CACHE_DIR ?? join(home.path, "cache"),
    });
    const { code, stdout, stderr } = await home.run(["install-agent", "--all"]);
    expect([code, stderr.match(/^Error.*/gm)]).toEqual([0, null]);
    const programs = (await loadAgents()).flatMap(({ program }) => program ?? []);
    expect(programs.length).toBeGreaterThan(7);
    for (const { name, version, versionArgs = ["--version"] } of programs) {
      expect(stdout).toContain(`${name} ${version} `);
      const folder = join(home.dataDir, "programs", name);
      expect(readdirSync(folder)).toEqual([version]);
      const { says, from } = JSON.parse(readFileSync(join(folder, version, "install.json"), "utf8"));
      expect([name, from, says ?? version]).toEqual([name, "npm", version]);
      const said = await home.run(["exec", name, ...versionArgs]);
      expect([name, said.code, said.stdout.includes(says ?? "")]).toEqual([name, 0, true]);
    }
  },
  wholeMs,
);
