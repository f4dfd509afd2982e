import { resolve } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentHost, AgentProbe, SessionConfig } from "../agent.ts";
import { hasCredentials } from "../credentials/find-credentials.ts";
import { findOnPath, isExecutable } from "../install/find-executable.ts";
import { probeProgram, requireProgram } from "../install/locate-program.ts";
import type { AcpAgent, AcpPlace } from "./acp-agent.ts";

/** How the program is started. */
export interface AcpLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function placeOf(agent: AcpAgent, host: AgentHost, session: SessionConfig): AcpPlace {
  return { host, session, env: environment(agent, host, session.env) };
}

export function environment({ env }: AcpAgent, host: AgentHost, own: SessionConfig["env"] = {}) {
  return { ...env, ...host.env, ...own };
}

/** More than this the system does not take as one argument. */
const LONGEST_ARGUMENT = 120 * 1024;

/** The arguments that tell the program the instructions; `undefined` where they have to be told in another way. Pure. */
export function instructionArgs({ quirks }: AcpAgent, instructions: string | undefined): readonly string[] | undefined {
  const args = instructions === undefined ? undefined : quirks?.instructionArgs?.(instructions);
  return args?.some((arg) => Buffer.byteLength(arg) > LONGEST_ARGUMENT) ? undefined : args;
}

export async function planLaunch(agent: AcpAgent, place: AcpPlace, instructions?: string): Promise<AcpLaunch> {
  const command = await findCommand(agent, place);
  const prepared = (await agent.quirks?.prepare?.(place)) ?? {};
  const args = [
    ...(agent.args ?? []),
    ...((await agent.quirks?.moreArgs?.(place)) ?? []),
    ...(instructionArgs(agent, instructions) ?? []),
  ];
  return { command, args, env: { ...place.env, ...prepared } };
}

/** Throws when the program is not there. */
export async function findCommand(agent: AcpAgent, { host, env, session }: AcpPlace): Promise<string> {
  if (agent.program) {
    const place = { env, installRoot: host.installRoot };
    return (await requireProgram(agent.program, place, session.agentVersion)).path;
  }
  const found = await locateCommand(agent.command, env);
  if (found !== undefined) return found;
  const sentence = `The command ${JSON.stringify(agent.command ?? "")} of ${agent.displayName} is not there. Install it, or correct the agent's command.`;
  throw new SandboxError("agent_not_installed", sentence, { agent: agent.id });
}

async function locateCommand(command = "", env: Readonly<Record<string, string>>): Promise<string | undefined> {
  if (!command.includes("/")) return command === "" ? undefined : findOnPath(command, env.PATH);
  return (await isExecutable(resolve(command))) ? resolve(command) : undefined;
}

/** Does not throw. */
export async function probeAgent(agent: AcpAgent, host: AgentHost): Promise<AgentProbe> {
  const env = environment(agent, host);
  const credentialsAvailable = agent.credentials === undefined || (await hasCredentials(agent.credentials, env));
  if (agent.program) return { ...(await probeProgram(agent.program, host)), credentialsAvailable };
  const path = await locateCommand(agent.command, env);
  return path === undefined
    ? { installed: false, credentialsAvailable }
    : { installed: true, credentialsAvailable, path, source: "path" };
}
