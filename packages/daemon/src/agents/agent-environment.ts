/** Not for agents: what concerns the daemon, and the configuration of all custom agents, in which may be keys of others. */
const ownVariables = new Set(["SANDBOX_AGENT_TOKEN", "SANDBOX_AGENT_ACP_AGENTS", "SANDBOX_AGENT_RESTART_REASON"]);

/** The daemon's environment without what is the daemon's own; its token by value too. */
export function agentEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  token: string | null,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || ownVariables.has(name) || (token !== null && value === token)) continue;
    kept[name] = value;
  }
  return kept;
}
