import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AgentHost, SessionConfig } from "../../../agent.ts";
import { requireProgram } from "../../../install/locate-program.ts";
import { program } from "../program.ts";
import { serverConfig } from "./server-config.ts";

type Environment = Readonly<Record<string, string>>;

/** How a server is started. Sessions with the same launch share one. */
export interface Launch {
  readonly command: string;
  readonly env: Environment;
  /** The environment is that of all sessions: nothing in it is of one alone. */
  readonly common: boolean;
}

export async function planLaunch(host: AgentHost, session: Pick<SessionConfig, "env" | "agentVersion">) {
  const env = { ...host.env, ...session.env };
  const { path } = await requireProgram(program, { env, installRoot: host.installRoot }, session.agentVersion);
  return { command: path, env, common: Object.keys(session.env).length === 0 } satisfies Launch;
}

export function launchKey({ command, env }: Launch, { dataDir }: AgentHost): string {
  return JSON.stringify([dataDir, command, Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Off is what reaches for the network unasked; on is the tool with which a plan is proposed. The user's word counts. */
const switches: Environment = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_EXPERIMENTAL_PLAN_MODE: "1",
};

const RESTORED = "SANDBOX_AGENT_RESTORED_ENVIRONMENT";

/**
 * Commands get the environment of the server. This gives them that of the session instead: without the password, and with
 * the user's own config. A variable cannot be taken away, so one that was not there is empty.
 */
const environmentPlugin = `const restored = JSON.parse(process.env.${RESTORED} || "{}");
export const CommandEnvironment = async () => ({
  "shell.env": async (_command, { env }) => void Object.assign(env, restored),
});
`;

/** The environment of the process, and the password it then wants. */
export async function prepareLaunch({ env }: Launch, dataDir: string): Promise<{ env: Environment; password: string }> {
  const password = randomBytes(24).toString("base64url");
  const plugin = join(dataDir, "command-environment.mjs");
  await writeFile(plugin, environmentPlugin);
  const own = {
    OPENCODE_SERVER_PASSWORD: password,
    OPENCODE_SERVER_USERNAME: "opencode",
    OPENCODE_CONFIG_CONTENT: serverConfig(env.OPENCODE_CONFIG_CONTENT, pathToFileURL(plugin).href),
  };
  const hidden = [...Object.keys(own), ...Object.keys(switches)].map((name) => [name, env[name] ?? ""]);
  const restored = { ...Object.fromEntries(hidden), [RESTORED]: "" };
  return { env: { ...switches, ...env, ...own, [RESTORED]: JSON.stringify(restored) }, password };
}
