import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProfileHook } from "@sandbox-agent-ts/protocol";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import { sessionFolder } from "../../files/session-folders.ts";
import { writeSubagents } from "../../subagents/write-subagents.ts";

const manifest = { name: "session", version: "1.0.0", description: "What this session was given" };

/** As Copilot calls the events at which hooks run. */
const hookNames = {
  sessionStart: "sessionStart",
  userPrompt: "userPromptSubmitted",
  beforeTool: "preToolUse",
  afterTool: "postToolUse",
  turnEnd: "agentStop",
  sessionEnd: "sessionEnd",
} as const;

/** The session's subagents and hooks as a plugin, which Copilot loads from a directory for one process. */
export async function writeSessionPlugin(place: AcpPlace): Promise<void> {
  if (!hasPlugin(place)) return;
  const { subagents, hooks } = place.session;
  const folder = pluginFolder(place);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (subagents) {
    const directory = join(folder, "agents");
    await writeSubagents(subagents, { directory, extension: ".agent.md", fields: ["tools", "model"] });
  }
  if (hooks) await writeFile(join(folder, "hooks.json"), JSON.stringify({ version: 1, hooks: hooksByEvent(hooks) }));
  await writeFile(join(folder, "plugin.json"), JSON.stringify(manifest));
}

export function pluginArgs(place: AcpPlace): readonly string[] {
  return hasPlugin(place) ? ["--plugin-dir", pluginFolder(place)] : [];
}

function hasPlugin({ session }: AcpPlace): boolean {
  return session.subagents !== undefined || session.hooks !== undefined;
}

function pluginFolder({ host, session }: AcpPlace): string {
  return join(sessionFolder(host.dataDir, session.sessionId), "plugin");
}

function hooksByEvent(hooks: readonly ProfileHook[]): Record<string, object[]> {
  const native: Record<string, object[]> = {};
  for (const { event, matcher, command, timeoutMs } of hooks) {
    const limit = timeoutMs ? { timeoutSec: Math.max(1, Math.round(timeoutMs / 1000)) } : {};
    const entry = { type: "command", bash: command, ...(matcher ? { matcher } : {}), ...limit };
    native[hookNames[event]] = [...(native[hookNames[event]] ?? []), entry];
  }
  return native;
}
