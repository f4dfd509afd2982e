import { join } from "node:path";
import { cacheDirectory, loadAgents } from "@sandbox-agent-ts/agents";
import { ensureProgram } from "@sandbox-agent-ts/agents/install";

/** The path of an agent's own program, installed into the cache when it is not there yet. */
export async function agentProgram(id: string): Promise<string> {
  const adapter = (await loadAgents()).find((agent) => agent.id === id);
  if (!adapter?.program) throw new Error(`There is no agent "${id}" with a program of its own.`);
  const env = process.env as Record<string, string>;
  const { path } = await ensureProgram(adapter.program, { env, installRoot: join(cacheDirectory(env), "programs") });
  return path;
}
