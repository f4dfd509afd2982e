import type { McpServerConfig } from "@sandbox-agent-ts/protocol";

type LocalServer = Extract<McpServerConfig, { type: "local" }>;

/** For agents that start servers in the session's directory: one that wants another gets there through a shell. */
export function localCommand({ command, args, cwd }: LocalServer): { command: string; args: string[] } {
  if (!cwd) return { command, args: args ?? [] };
  return { command: "sh", args: ["-c", 'cd "$0" && exec "$@"', cwd, command, ...(args ?? [])] };
}
