import type { McpServerConfig, SkillsConfig } from "@sandbox-agent-ts/protocol";

const hidden = "[hidden]";

/** As clients see them: which variables and headers a server gets, not what is in them. */
export function shownServers(servers: Readonly<Record<string, McpServerConfig>>): Record<string, McpServerConfig> {
  return mapValues(servers, (server) =>
    server.type === "local"
      ? { ...server, ...(server.env ? { env: mapValues(server.env, () => hidden) } : {}) }
      : {
          ...server,
          url: shownUrl(server.url),
          ...(server.headers ? { headers: mapValues(server.headers, () => hidden) } : {}),
        },
  );
}

export function shownSkills({ sources, ...rest }: SkillsConfig): SkillsConfig {
  return { ...rest, sources: sources.map((source) => ({ ...source, source: shownUrl(source.source) })) };
}

/** Without a password and without the values of the query, which often are keys. */
function shownUrl(text: string): string {
  return text.replace(/^(\w+:\/\/)[^/@]*@/, "$1").replace(/([?&][^=&#]*=)[^&#]*/g, `$1${hidden}`);
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
