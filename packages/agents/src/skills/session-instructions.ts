import type { AgentHost, SessionConfig } from "../agent.ts";
import { prepareSkills, type Skill } from "./prepare-skills.ts";

/**
 * What a session tells its agent besides the messages: the system prompt, and which skills there are. For agents that
 * have no way of their own to be given skills.
 */
export async function sessionInstructions(host: AgentHost, session: SessionConfig): Promise<string | undefined> {
  const parts = [session.systemPrompt, skillsList(await prepareSkills(host, session))].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

function skillsList(skills: readonly Skill[]): string {
  if (skills.length === 0) return "";
  const lines = skills.map(({ name, description, file }) => `- ${name}: ${description} (file: ${file})`);
  return `## Skills of this session\nRead the file of a skill before you use it.\n${lines.join("\n")}`;
}
