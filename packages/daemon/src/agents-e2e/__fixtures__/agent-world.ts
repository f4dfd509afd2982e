import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type AgentAdapter, cacheDirectory } from "@sandbox-agent-ts/agents";
import {
  type AgentScenario,
  type ModelScript,
  type ModelWitness,
  type PreparedWorld,
  scriptOf,
} from "@sandbox-agent-ts/agents/contract";
import { ensureProgram } from "@sandbox-agent-ts/agents/install";
import { type AtEnd, atEndOfTest } from "../../__fixtures__/at-end.ts";
import { DaemonProcess } from "../../__fixtures__/daemon-process.ts";
import { temporaryDirectory } from "../../__fixtures__/temporary-directory.ts";
import type { AgentUnderTest } from "./scenarios.ts";

/** A data directory, a directory to work in, and a model: all that outlives a daemon. */
export interface AgentWorld {
  readonly dataDir: string;
  readonly directory: string;
  readonly model: ModelWitness | undefined;
  startDaemon(): Promise<DaemonProcess>;
}

export async function makeAgentWorld(
  { adapter, scenario }: AgentUnderTest,
  atEnd: AtEnd = atEndOfTest,
): Promise<AgentWorld> {
  const paths = makeDirectories(atEnd);
  const prepared = await prepare(scenario, paths.home, scriptOf(scenario), atEnd);
  return { ...worldOf(paths, { ...prepared.env, ...(await programOf(adapter)) }, atEnd), model: prepared.model };
}

/** All of them behind one daemon, each with a model that says what `scriptFor` gives it. */
export async function makeAgentsWorld(
  agents: readonly AgentUnderTest[],
  scriptFor: (scenario: AgentScenario) => ModelScript,
): Promise<AgentWorld> {
  const paths = makeDirectories(atEndOfTest);
  const env: Record<string, string> = {};
  for (const { adapter, scenario } of agents) {
    Object.assign(
      env,
      (await prepare(scenario, paths.home, scriptFor(scenario), atEndOfTest)).env,
      await programOf(adapter),
    );
  }
  return { ...worldOf(paths, env, atEndOfTest), model: undefined };
}

async function prepare(
  scenario: AgentScenario,
  home: string,
  script: ModelScript,
  atEnd: AtEnd,
): Promise<PreparedWorld> {
  const prepared = (await scenario.prepare?.({ home, script })) ?? {};
  atEnd(() => prepared.dispose?.());
  return prepared;
}

function makeDirectories(atEnd: AtEnd) {
  const root = temporaryDirectory(atEnd);
  const paths = { home: join(root, "home"), dataDir: join(root, "data"), directory: join(root, "work") };
  for (const path of Object.values(paths)) mkdirSync(path);
  return paths;
}

function worldOf(
  { home, dataDir, directory }: ReturnType<typeof makeDirectories>,
  env: Record<string, string>,
  atEnd: AtEnd,
) {
  const startDaemon = () => DaemonProcess.start({ dataDir, env: { HOME: home, ...env } }, atEnd);
  return { dataDir, directory, startDaemon };
}

/** The pinned program, from the cache that all tests share, so that it is not unpacked into every data directory. */
export async function programOf({ program }: AgentAdapter): Promise<Record<string, string>> {
  if (!program) return {};
  const { version } = program;
  const env = { npm_config_userconfig: join(homedir(), ".npmrc"), ...process.env };
  const { path } = await ensureProgram(
    program,
    { env, installRoot: join(cacheDirectory(process.env), "programs") },
    { version },
  );
  return { [`SANDBOX_AGENT_${program.name.toUpperCase()}_BIN`]: path };
}
