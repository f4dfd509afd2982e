import type { AgentProgram } from "../install/agent-program.ts";

/** The version the suite drives: the pinned one, unless `SANDBOX_AGENT_<NAME>_VERSION` names another, as the radar does. */
export function testedVersion(
  { name, version }: Pick<AgentProgram, "name" | "version">,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return env[`SANDBOX_AGENT_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_VERSION`] || version;
}
