import { join } from "node:path";
import { type AgentAdapter, type AgentProgram, loadAgents, type ProgramPlace } from "@sandbox-agent-ts/agents";
import { dataDirectory, type Environment } from "../data-dir.ts";
import { UsageError } from "../usage-error.ts";

/** Where the daemon of this data directory has its programs. */
export function programPlace(dataDir: string | undefined, env: Environment): ProgramPlace {
  return { env, installRoot: join(dataDirectory(dataDir, env), "programs") };
}

export interface AgentWithProgram {
  readonly id: string;
  readonly adapter: AgentAdapter;
  readonly program: AgentProgram;
}

/** The agent with this id. */
export async function agentWithProgram(id: string): Promise<AgentWithProgram> {
  const [found] = await agentsWithPrograms([id]);
  return found!;
}

/** The agents with these ids; one that is not there, or needs no program, is a mistake of the command line. */
export async function agentsWithPrograms(ids: readonly string[] | "all"): Promise<readonly AgentWithProgram[]> {
  const adapters = await loadAgents();
  const installable = adapters.flatMap((adapter) =>
    adapter.program ? [{ id: adapter.id, adapter, program: adapter.program }] : [],
  );
  if (ids === "all") return installable;
  return [...new Set(ids)].map((id) => {
    const found = installable.find((agent) => agent.id === id);
    if (found) return found;
    if (adapters.some((adapter) => adapter.id === id)) throw new UsageError(`${id} needs no program of its own.`);
    throw new UsageError(`There is no agent "${id}". There are: ${installable.map((agent) => agent.id).join(", ")}.`);
  });
}
