/** The daemon's environment without what is the daemon's own: its token, by name and by value. */
export function agentEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  token: string | null,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || name === "SANDBOX_AGENT_TOKEN" || (token !== null && value === token)) continue;
    kept[name] = value;
  }
  return kept;
}
