import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface AgentProcessFound {
  readonly pid: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** The living processes that daemons of this data directory have started, with all they started themselves. */
export function agentProcesses(dataDir: string): AgentProcessFound[] {
  const ownerFile = join(dataDir, "owner");
  if (!existsSync(ownerFile)) return [];
  const owner = readFileSync(ownerFile, "utf8").trim();
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const environment = environmentOf(pid);
      return environment.SANDBOX_AGENT_PROCESS?.startsWith(`${owner}:`) ? [{ pid: Number(pid), environment }] : [];
    });
}

/** Empty for a process that is gone, or a zombie. */
function environmentOf(pid: string): Record<string, string> {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return Object.fromEntries(pairs.map((pair) => [pair.split("=", 1)[0]!, pair.slice(pair.indexOf("=") + 1)]));
  } catch {
    return {};
  }
}
