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

export interface AgentVersion {
  readonly agent: AgentWithProgram;
  /** Undefined: the one that we test with. */
  readonly version: string | undefined;
  /** As it was asked for. */
  readonly spelled: string;
}

/** Agents as they are named on a command line: `claude`, or `claude@2.1.0` for a version. */
export async function agentVersions(names: readonly string[]): Promise<readonly AgentVersion[]> {
  const unique = [...new Set(names)];
  const idOf = (name: string) => name.split("@")[0]!;
  const agents = await agentsWithPrograms(unique.map(idOf));
  return unique.map((spelled) => {
    const [id, version] = spelled.split("@");
    if (version === "")
      throw new UsageError(`There is no version behind the @ of "${spelled}". Write ${id}@1.2.3, or ${id}.`);
    return { agent: agents.find((agent) => agent.id === id)!, version, spelled };
  });
}
