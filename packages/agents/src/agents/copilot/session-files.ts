import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { McpServerConfig } from "@sandbox-agent-ts/protocol";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import { sessionFolder } from "../../files/session-folders.ts";
import { enabledServers } from "../../mcp/enabled-servers.ts";
import { sessionInstructions } from "../../skills/session-instructions.ts";

type LocalServer = Extract<McpServerConfig, { type: "local" }>;

/**
 * Copilot reads from files what it does not take over ACP: instructions, and MCP servers that are programs (it refuses
 * those, and takes those on the network). They may hold keys, so only we can read them.
 */
export async function writeSessionFiles(place: AcpPlace): Promise<Readonly<Record<string, string>>> {
  const folder = folderOf(place);
  const instructions = await sessionInstructions(place.host, place.session);
  const servers = await Promise.all(localServers(place).map((server) => describeServer(place, ...server)));
  if (instructions === undefined && servers.length === 0) return {};
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (servers.length > 0) await write(mcpFile(place), JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
  if (instructions === undefined) return {};
  await mkdir(join(folder, ".github", "instructions"), { recursive: true });
  const file = join(folder, ".github", "instructions", "session.instructions.md");
  await write(file, `---\napplyTo: "**"\n---\n${instructions}\n`);
  const others = place.env.COPILOT_CUSTOM_INSTRUCTIONS_DIRS;
  return { COPILOT_CUSTOM_INSTRUCTIONS_DIRS: others ? `${others},${folder}` : folder };
}

export function mcpArgs(place: AcpPlace): readonly string[] {
  return localServers(place).length === 0 ? [] : ["--additional-mcp-config", `@${mcpFile(place)}`];
}

function localServers({ session }: AcpPlace): [name: string, server: LocalServer][] {
  return enabledServers(session.mcp).flatMap(([name, server]) => (server.type === "local" ? [[name, server]] : []));
}

async function describeServer(place: AcpPlace, name: string, server: LocalServer): Promise<[string, object]> {
  const { env, cwd, timeoutMs } = server;
  const command = { command: server.command, args: server.args ?? [] };
  return [
    name,
    {
      type: "local",
      ...((await place.watchServer?.(name, command)) ?? command),
      env: env ?? {},
      ...(cwd ? { cwd } : {}),
      ...(timeoutMs ? { timeout: timeoutMs } : {}),
      tools: ["*"],
    },
  ];
}

function folderOf({ host, session }: AcpPlace): string {
  return sessionFolder(host.dataDir, session.sessionId);
}

function mcpFile(place: AcpPlace): string {
  return join(folderOf(place), "mcp.json");
}

function write(path: string, text: string): Promise<void> {
  return writeFile(path, text, { mode: 0o600 });
}
