import { type McpServerConfig, SandboxError } from "@sandbox-agent-ts/protocol";

type RemoteServer = Extract<McpServerConfig, { type: "remote" }>;
type Env = Readonly<Record<string, string>>;

/** The headers of a remote server with what the environment has to add to them; throws when it does not have it. */
export function remoteHeaders(name: string, server: RemoteServer, env: Env): Record<string, string> {
  const named = Object.entries(server.envHeaders ?? {});
  const fromEnv = named.map(([header, variable]) => [header, required(name, variable, env)]);
  const bearer = server.bearerTokenEnvVar
    ? { Authorization: `Bearer ${required(name, server.bearerTokenEnvVar, env)}` }
    : {};
  return { ...server.headers, ...Object.fromEntries(fromEnv), ...bearer };
}

function required(server: string, variable: string, env: Env): string {
  const value = env[variable];
  if (value !== undefined) return value;
  const sentence = `The MCP server ${server} needs the variable ${variable}, which is not set. Set it for the session.`;
  throw new SandboxError("invalid_request", sentence);
}
