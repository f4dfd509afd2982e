import type { AgentHost, SessionConfig } from "../agent.ts";
import type { AgentProgram } from "../install/agent-program.ts";
import { requireProgram } from "../install/locate-program.ts";

/** How a server is started. Sessions with the same launch share one. */
export interface Launch {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** The environment is that of all sessions: nothing in it is of one alone. */
  readonly common: boolean;
  /** What else sessions must have in common to share one. */
  readonly purpose?: string;
}

export async function planLaunch(
  program: AgentProgram,
  host: AgentHost,
  session: Pick<SessionConfig, "env" | "agentVersion">,
): Promise<Launch> {
  const env = { ...host.env, ...session.env };
  const { path } = await requireProgram(program, { env, installRoot: host.installRoot }, session.agentVersion);
  return { command: path, env, common: Object.keys(session.env).length === 0 };
}

export function launchKey({ command, env, purpose }: Launch, { dataDir }: AgentHost): string {
  return JSON.stringify([dataDir, command, purpose ?? "", Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))]);
}
