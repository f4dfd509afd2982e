import type { McpServerConfig, SkillsConfig } from "./mcp.ts";
import type { ProfileCommand } from "./profile.ts";

/** Stands for what only the agent may know. */
export const hiddenValue = "[hidden]";

/** As clients see them: which variables and headers a server gets, not what is in them. */
export function shownServers(servers: Readonly<Record<string, McpServerConfig>>): Record<string, McpServerConfig> {
  return mapValues(servers, (server) =>
    server.type === "local"
      ? { ...server, ...(server.env ? { env: mapValues(server.env, () => hiddenValue) } : {}) }
      : {
          ...server,
          url: shownUrl(server.url),
          ...(server.headers ? { headers: mapValues(server.headers, () => hiddenValue) } : {}),
        },
  );
}

/** What there is, and not what it makes of a message. */
export function shownCommands(commands: Readonly<Record<string, ProfileCommand>>): ShownCommand[] {
  return Object.entries(commands).map(([name, { description }]) => ({ name, ...(description ? { description } : {}) }));
}

interface ShownCommand {
  name: string;
  description?: string;
}

export function shownSkills({ sources, ...rest }: SkillsConfig): SkillsConfig {
  return { ...rest, sources: sources.map((source) => ({ ...source, source: shownUrl(source.source) })) };
}

/** Without a password and without the values of the query, which often are keys. */
function shownUrl(text: string): string {
  return text.replace(/^(\w+:\/\/)[^/@]*@/, "$1").replace(/([?&][^=&#]*=)[^&#]*/g, `$1${hiddenValue}`);
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
