import { runningDaemon } from "../background/run-record.ts";
import { dataDirectory, type Environment } from "../data-dir.ts";
import { DEFAULT_HOST, DEFAULT_PORT } from "../server/server-flags.ts";
import { UsageError } from "../usage-error.ts";

export interface Connection {
  readonly baseUrl: string;
  readonly token?: string;
}

export interface ConnectionFlags {
  readonly endpoint?: string | undefined;
  readonly token?: string | undefined;
}

export const DEFAULT_ENDPOINT = `http://${DEFAULT_HOST}:${DEFAULT_PORT}`;

/** Where the daemon is and how to get in: flags, then environment, then what a local daemon wrote down. */
export function connectionOf(flags: ConnectionFlags, env: Environment): Connection {
  const baseUrl = flags.endpoint ?? (env.SANDBOX_AGENT_ENDPOINT || DEFAULT_ENDPOINT);
  const token = flags.token ?? (env.SANDBOX_AGENT_TOKEN || recordedToken(parseEndpoint(baseUrl), env));
  return { baseUrl, ...(token === undefined ? {} : { token }) };
}

function parseEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new UsageError(`--endpoint must be an http(s) URL such as ${DEFAULT_ENDPOINT}, not "${text}".`);
}

/** A generated token goes to the very daemon that generated it and to nobody else. */
function recordedToken(endpoint: URL, env: Environment): string | undefined {
  const daemon = runningDaemon(dataDirectory(undefined, env));
  return daemon !== undefined && isSamePlace(endpoint, new URL(daemon.url)) ? daemon.token : undefined;
}

const localNames = new Set(["127.0.0.1", "localhost", "[::1]"]);

function isSamePlace(endpoint: URL, daemon: URL): boolean {
  if (endpoint.protocol !== daemon.protocol || endpoint.port !== daemon.port) return false;
  const areLocal = localNames.has(daemon.hostname) && localNames.has(endpoint.hostname);
  return areLocal || endpoint.hostname === daemon.hostname;
}
