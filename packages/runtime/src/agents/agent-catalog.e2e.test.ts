/** Feared: a runtime that was started again at once and has no agents, because of what the killed one left. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { expect, onTestFinished, test } from "vitest";
import { buildCli, cliBundle } from "../../../../scripts/setup.mjs";
import { AgentCatalog } from "./agent-catalog.ts";

async function prepare() {
  await buildCli();
  const dataDir = mkdtempSync(join(tmpdir(), "agent-catalog-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  const env = { HOME: dataDir, PATH: process.env.PATH ?? "" };
  const start = async () => {
    const daemon = await SandboxAgent.start({ spawn: { binaryPath: cliBundle, dataDir, env } });
    onTestFinished(() => daemon.dispose());
    return daemon;
  };
  const catalog = new AgentCatalog({ program: cliBundle, dataDir, env });
  onTestFinished(() => catalog.close());
  return { start, catalog, dataDir };
}

/** The processes that were started with this directory. */
function daemonsOn(dataDir: string): number[] {
  const variable = `SANDBOX_AGENT_DATA_DIR=${dataDir}`;
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => environmentOf(pid).includes(variable)).map(Number);
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

test("waits for the daemon of an earlier runtime to be gone", { timeout: 60_000 }, async () => {
  const { start, catalog } = await prepare();
  const earlier = await start();
  const listed = catalog.list();
  await expect(start()).rejects.toThrow("is in use by");
  await earlier.dispose();
  expect((await listed).map(({ id }) => id)).toContain("mock");
});

test("ends the daemon of an earlier runtime that stays", { timeout: 60_000 }, async () => {
  const { start, catalog } = await prepare();
  await start();
  expect((await catalog.list()).map(({ id }) => id)).toContain("mock");
});

test("has another daemon when its own was killed", { timeout: 60_000 }, async () => {
  const { catalog, dataDir } = await prepare();
  await catalog.list();
  const killed = daemonsOn(dataDir);
  expect(killed).toHaveLength(1);
  for (const pid of killed) process.kill(pid, "SIGKILL");
  const answers = await Promise.all([catalog.list(), catalog.models("mock"), catalog.list()]);
  expect(answers[0].map(({ id }) => id)).toContain("mock");
  expect(daemonsOn(dataDir)).toHaveLength(1);
});
