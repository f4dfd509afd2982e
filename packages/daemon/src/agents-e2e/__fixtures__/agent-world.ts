import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type AgentAdapter, cacheDirectory } from "@sandbox-agent/agents";
import { type ModelWitness, scriptOf } from "@sandbox-agent/agents/contract";
import { ensureProgram } from "@sandbox-agent/agents/install";
import { onTestFinished } from "vitest";
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

export async function makeAgentWorld({ adapter, scenario }: AgentUnderTest): Promise<AgentWorld> {
  const root = temporaryDirectory();
  const [home, dataDir, directory] = [join(root, "home"), join(root, "data"), join(root, "work")];
  for (const path of [home, dataDir, directory]) mkdirSync(path);
  const prepared = (await scenario.prepare?.({ home, script: scriptOf(scenario) })) ?? {};
  onTestFinished(() => prepared.dispose?.());
  const env = { HOME: home, ...prepared.env, ...(await programOf(adapter)) };
  return { dataDir, directory, model: prepared.model, startDaemon: () => DaemonProcess.start({ dataDir, env }) };
}

/** The pinned program, from the cache that all tests share, so that it is not unpacked into every data directory. */
async function programOf({ program }: AgentAdapter): Promise<Record<string, string>> {
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
