import { readFileSync } from "node:fs";
import { inRoot } from "../../../../scripts/root.mjs";

/** What makes the agent `hostile`, which does what prompts say, one of a runtime's. */
export function hostileAgentEnv(): Record<string, string> {
  const program = readFileSync(inRoot("scripts/attack/hostile-agent.mjs"), "utf8");
  const agent = { id: "hostile", command: process.execPath, args: ["--input-type=module", "-e", program] };
  return { SANDBOX_AGENT_ACP_AGENTS: JSON.stringify([agent]) };
}
