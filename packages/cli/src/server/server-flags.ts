import type { Flag } from "../flag.ts";

export interface ServerFlag extends Flag {
  /** Makes sense only for a server in the foreground, so `daemon start` does not have it. */
  readonly foregroundOnly?: boolean;
}

export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 2468;

/** The one table of server flags: it feeds the parser of `server`, its help, and `daemon start`. */
export const serverFlags: readonly ServerFlag[] = [
  { name: "host", short: "H", value: "host", description: `address to listen on (default: ${DEFAULT_HOST})` },
  {
    name: "port",
    short: "p",
    value: "port",
    description: `port to listen on, 0 takes a free one (default: ${DEFAULT_PORT})`,
  },
  {
    name: "token",
    short: "t",
    value: "token",
    description: "token clients must send (env: SANDBOX_AGENT_TOKEN; default: one that is generated once and kept)",
  },
  { name: "no-token", short: "n", description: "let anybody in who can reach the port" },
  {
    name: "cors-allow-origin",
    short: "O",
    value: "origin",
    multiple: true,
    description: "browser origin that may call the API, * for any; repeatable",
  },
  {
    name: "cors-allow-method",
    short: "M",
    value: "method",
    multiple: true,
    description: "method such an origin may use; repeatable (default: all)",
  },
  {
    name: "cors-allow-header",
    short: "A",
    value: "header",
    multiple: true,
    description: "header such an origin may send; repeatable (default: all the API knows)",
  },
  { name: "cors-allow-credentials", short: "C", description: "let such an origin send cookies and Authorization" },
  {
    name: "data-dir",
    value: "directory",
    description:
      "where sessions are kept (env: SANDBOX_AGENT_DATA_DIR; default: sandbox-agent in the user's data directory)",
  },
  {
    name: "fs-root",
    value: "directory",
    multiple: true,
    description: "directory the filesystem API may reach; repeatable (default: home)",
  },
  {
    name: "acp-agent",
    value: "id=command",
    multiple: true,
    description:
      "a custom agent that speaks ACP, e.g. my-agent='my-agent --acp'; repeatable (env: SANDBOX_AGENT_ACP_AGENTS)",
  },
  {
    name: "acp-agents-file",
    value: "file",
    description: "JSON file with custom agents, for all that can be said of them",
  },
  {
    name: "no-auto-install",
    description:
      "refuse a session whose agent is missing, instead of installing it (env: SANDBOX_AGENT_AUTO_INSTALL=off)",
  },
  { name: "no-ui", description: "do not serve the web inspector at /ui/" },
  { name: "ephemeral", foregroundOnly: true, description: "keep sessions in memory only" },
  { name: "log-level", value: "level", description: "silent, error, warn, info or debug (default: info)" },
  {
    name: "log-format",
    value: "format",
    description: "text or json (default: text in a terminal, else json)",
  },
  { name: "no-telemetry", description: "accepted for older scripts: there is no telemetry" },
  { name: "log-to-file", description: "accepted for older scripts: `daemon start` keeps a log" },
  { name: "quiet", short: "q", foregroundOnly: true, description: "do not print the address and the token" },
];
