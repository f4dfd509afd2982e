import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentHost, SessionConfig } from "../../agent.ts";
import { sessionFolder } from "../../files/session-folders.ts";

/** The session's subagents as roles in the config of its thread: of each what it is for, and a file with the rest. */
export async function subagentRoles(host: AgentHost, session: SessionConfig): Promise<Record<string, object>> {
  const { subagents } = session;
  if (!subagents) return {};
  const folder = join(sessionFolder(host.dataDir, session.sessionId), "roles");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const roles = Object.entries(subagents).map(async ([name, { description, prompt, model }]) => {
    const file = join(folder, `${name}.toml`);
    const settings = { developer_instructions: prompt, ...(model ? { model } : {}) };
    const lines = Object.entries(settings).map(([key, value]) => `${key} = ${tomlText(value)}`);
    await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600 });
    return [`agents.${keyOf(name)}`, { description, config_file: file }] as const;
  });
  return Object.fromEntries(await Promise.all(roles));
}

/** JSON's escapes are TOML's, too, but for the one of a slash, which nobody writes, and DEL, which TOML wants escaped. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

/** A dot would begin a new level of the config. */
function keyOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}
