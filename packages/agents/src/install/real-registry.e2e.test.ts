/** The registry npm is configured for on this machine, and a small program that is really there. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "./__fixtures__/installer-world.ts";
import type { AgentProgram } from "./agent-program.ts";
import { installProgram } from "./install-program.ts";
import { findRegistries } from "./npm-registry.ts";
import { currentPlatform } from "./platform.ts";

const patienceMs = 10_000;
const tiny: AgentProgram = {
  name: "mkdirp",
  version: "1.0.4",
  source: { kind: "npm", packages: { [currentPlatform()]: { name: "mkdirp", binary: "bin/cmd.js" } } },
};

async function isReachable(): Promise<boolean> {
  try {
    const { url } = (await findRegistries(process.env))("mkdirp");
    return (await fetch(`${url}mkdirp`, { method: "HEAD", signal: AbortSignal.timeout(patienceMs) })).ok;
  } catch {
    return false;
  }
}

const reachable = await isReachable();
const reason = reachable ? "" : " (not now: the registry npm is configured for cannot be reached)";

test.skipIf(!reachable)(`a real package is installed and runs${reason}`, async () => {
  const directory = await temporaryDirectory();
  const env = { ...process.env, SANDBOX_AGENT_CACHE_DIR: join(directory, "cache") };
  const { path, version } = await installProgram(tiny, { env, installRoot: join(directory, "programs") });
  expect(version).toBe("1.0.4");
  execFileSync(path, [join(directory, "made", "by", "it")]);
  expect(existsSync(join(directory, "made", "by", "it"))).toBe(true);
});
