import type { AgentProgram } from "../install/agent-program.ts";
import { binaryVariable } from "../install/locate-program.ts";

/** The version the suite drives: the pinned one, unless `SANDBOX_AGENT_<NAME>_VERSION` names another, as the radar does. */
export function testedVersion(
  { name, version }: Pick<AgentProgram, "name" | "version">,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return env[binaryVariable(name).replace(/BIN$/, "VERSION")] || version;
}
