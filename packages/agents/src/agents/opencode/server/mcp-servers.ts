import type { McpServerConfig } from "@sandbox-agent-ts/protocol";
import { enabledServers } from "../../../mcp/enabled-servers.ts";
import { remoteHeaders } from "../../../mcp/remote-headers.ts";
import type { HttpClient } from "./http-client.ts";

type Servers = Readonly<Record<string, McpServerConfig>>;
type Environment = Readonly<Record<string, string>>;
type Status = Readonly<Record<string, { readonly status?: string; readonly error?: string }>>;

/** A server's first answer may take as long as a package takes to be installed. */
const CONNECT_TIMEOUT_MS = 120_000;
const DISCONNECT_TIMEOUT_MS = 5_000;

interface Running {
  users: number;
  readonly connected: Promise<string | undefined>;
}

export interface McpLease {
  readonly names: readonly string[];
  /** All that OpenCode has in the directory, also those of the user's own config; none where it does not say. */
  readonly known: Promise<readonly string[]>;
  /** Why servers could not be reached, by their name. */
  readonly failures: ReadonlyMap<string, string>;
  /** The last session that uses a server takes it along. */
  release(): Promise<void>;
}

/**
 * The MCP servers of sessions, which all have the same here. OpenCode knows them by directory and not by session, so those
 * of one directory are one. A name that the user's own config has already gets a number.
 */
export class McpServers {
  readonly #http: HttpClient;
  readonly #directories = new Map<string, Map<string, Running>>();

  constructor(http: HttpClient) {
    this.#http = http;
  }

  async lease(directory: string, servers: Servers, env: Environment): Promise<McpLease> {
    const configs = enabledServers(servers).map(([name, server]) => [name, nativeConfig(name, server, env)] as const);
    const taken = configs.length === 0 ? [] : await this.#namesOfUser(directory);
    const names = configs.map(([name, config]) => this.#use(directory, name, config, taken));
    const running = this.#running(directory);
    const troubles = await Promise.all(names.map((name) => running.get(name)?.connected));
    const failures = names.flatMap((name, at) => (troubles[at] === undefined ? [] : [[name, troubles[at]] as const]));
    return {
      names,
      known: this.#namesOfUser(directory).catch(() => []),
      failures: new Map(failures),
      release: async () => void (await Promise.all(names.map((name) => this.#leave(directory, name)))),
    };
  }

  #use(directory: string, name: string, config: object, taken: readonly string[]): string {
    const running = this.#running(directory);
    const isFree = (candidate: string) => running.has(candidate) || !taken.includes(candidate);
    let chosen = name;
    for (let number = 2; !isFree(chosen); number += 1) chosen = `${name}_${number}`;
    const known = running.get(chosen);
    if (known) known.users += 1;
    else running.set(chosen, { users: 1, connected: this.#connect(directory, chosen, config) });
    return chosen;
  }

  async #connect(directory: string, name: string, config: object): Promise<string | undefined> {
    const options = { directory, body: { name, config }, timeoutMs: CONNECT_TIMEOUT_MS };
    try {
      const { status, error } = (await this.#http.request<Status>("POST", "/mcp", options))[name] ?? {};
      return status === "connected" ? undefined : (error ?? status ?? "it is not there");
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async #leave(directory: string, name: string): Promise<void> {
    const running = this.#running(directory);
    const known = running.get(name);
    if (!known || --known.users > 0) return;
    running.delete(name);
    const options = { directory, timeoutMs: DISCONNECT_TIMEOUT_MS };
    await this.#http.request("POST", `/mcp/${encodeURIComponent(name)}/disconnect`, options).catch(() => undefined);
  }

  /** Those of the user's config, which nobody may replace. One that we added and left stays known to OpenCode. */
  async #namesOfUser(directory: string): Promise<string[]> {
    const known = await this.#http.request<Status>("GET", "/mcp", { directory });
    return Object.keys(known ?? {}).filter((name) => known[name]?.status !== "disabled");
  }

  #running(directory: string): Map<string, Running> {
    const known = this.#directories.get(directory) ?? new Map<string, Running>();
    this.#directories.set(directory, known);
    return known;
  }
}

function nativeConfig(name: string, server: McpServerConfig, env: Environment): object {
  const timeout = server.timeoutMs ? { timeout: server.timeoutMs } : {};
  if (server.type === "remote") {
    const headers = remoteHeaders(name, server, env);
    return { type: "remote", url: server.url, headers, oauth: false, ...timeout };
  }
  const { command, args, env: environment, cwd } = server;
  return {
    type: "local",
    command: [command, ...(args ?? [])],
    ...(environment ? { environment } : {}),
    ...(cwd ? { cwd } : {}),
    ...timeout,
  };
}
