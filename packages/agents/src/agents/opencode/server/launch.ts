import { randomBytes } from "node:crypto";
import type { AgentHost, SessionConfig } from "../../../agent.ts";
import { enabledServers } from "../../../mcp/enabled-servers.ts";
import { type Launch, planLaunch } from "../../../shared-server/launch.ts";
import { program } from "../program.ts";
import { untrustedSettings, withoutProjectSettings } from "../project-settings.ts";
import { serverConfig, withSubagents } from "./server-config.ts";

type Environment = Readonly<Record<string, string>>;

/** Off is what reaches for the network unasked; on is the tool with which a plan is proposed. The user's word counts. */
const switches: Environment = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_EXPERIMENTAL_PLAN_MODE: "1",
};

interface SessionLaunch extends Launch {
  /** Settings files of the directory that the server does not read. */
  readonly ignored: readonly string[];
}

/**
 * The server of a session. OpenCode has MCP servers for a whole directory, and offers them to a turn that runs when they
 * come: sessions share a server only where they have the same ones.
 */
export async function planSessionLaunch(host: AgentHost, session: SessionConfig): Promise<SessionLaunch> {
  const launch = await planLaunch(program, host, session);
  const mcp = enabledServers(session.mcp);
  const ignored = untrustedSettings(session, launch.env);
  const { subagents } = session;
  const config = subagents && withSubagents(launch.env.OPENCODE_CONFIG_CONTENT, subagents);
  return {
    ...launch,
    env: {
      ...launch.env,
      ...(config === undefined ? {} : { OPENCODE_CONFIG_CONTENT: config }),
      ...(ignored.length === 0 ? {} : withoutProjectSettings),
    },
    common: launch.common && mcp.length === 0 && ignored.length === 0 && config === undefined,
    ...(mcp.length === 0 ? {} : { purpose: JSON.stringify(mcp) }),
    ignored,
  };
}

/** The environment of the process, and the password it then wants. */
export function serverEnvironment({ env }: Launch): { env: Environment; password: string } {
  const password = randomBytes(24).toString("base64url");
  const own = {
    OPENCODE_SERVER_PASSWORD: password,
    OPENCODE_SERVER_USERNAME: "opencode",
    OPENCODE_CONFIG_CONTENT: serverConfig(env.OPENCODE_CONFIG_CONTENT),
  };
  return { env: { ...switches, ...env, ...own }, password };
}
