import { type RunRecord, runningDaemon } from "../background/run-record.ts";
import { dataDirectory, type Environment } from "../data-dir.ts";
import { DEFAULT_HOST, DEFAULT_PORT } from "../server/server-flags.ts";
import { UsageError } from "../usage-error.ts";

export interface Connection {
  readonly baseUrl: string;
  readonly token?: string;
  /** Which daemon this is and how it was found, for people; default: its URL. */
  readonly place?: string;
  /** Where the daemon is now; there is one only for a daemon that was found, or whose token was, by its record. */
  readonly locate?: () => { readonly baseUrl: string; readonly token?: string };
}

export interface ConnectionFlags {
  readonly endpoint?: string | undefined;
  readonly token?: string | undefined;
  readonly dataDir?: string | undefined;
}

export const DEFAULT_ENDPOINT = `http://${DEFAULT_HOST}:${DEFAULT_PORT}`;

/**
 * Where the daemon is and how to get in. The endpoint that was named, by flag or environment; else the daemon that runs in
 * the data directory; else the default endpoint. A token that was given, else the one that the very daemon wrote down.
 */
export function connectionOf(flags: ConnectionFlags, env: Environment): Connection {
  const dataDir = dataDirectory(flags.dataDir, env);
  const named = flags.endpoint ?? (env.SANDBOX_AGENT_ENDPOINT || undefined);
  const givenToken = flags.token ?? (env.SANDBOX_AGENT_TOKEN || undefined);
  const endpoint = named === undefined ? undefined : parseEndpoint(named);
  const record = recordFor(endpoint, dataDir);
  const baseUrl = named ?? record?.url ?? DEFAULT_ENDPOINT;
  const place = placeText(baseUrl, named, record, dataDir);
  const isFixed = record === undefined || (named !== undefined && (givenToken ?? record.token) !== record.token);
  if (isFixed) return { baseUrl, ...tokenOf(givenToken), place };
  const locate = (): { baseUrl: string; token?: string } => {
    const now = recordFor(endpoint, dataDir);
    if (now === undefined) throw new Error(`the daemon has ended and none has started in ${dataDir} since`);
    return { baseUrl: named ?? now.url, ...tokenOf(givenToken ?? now.token) };
  };
  return { baseUrl, ...tokenOf(givenToken ?? record.token), place, locate };
}

const tokenOf = (token: string | undefined): { token?: string } => (token === undefined ? {} : { token });

/** The daemon that runs in the data directory, unless another one was named: its token goes to nobody else. */
function recordFor(endpoint: URL | undefined, dataDir: string): RunRecord | undefined {
  const record = runningDaemon(dataDir);
  if (record === undefined || endpoint === undefined) return record;
  return isSamePlace(endpoint, new URL(record.url)) ? record : undefined;
}

function placeText(baseUrl: string, named: string | undefined, record: RunRecord | undefined, dataDir: string): string {
  if (record !== undefined) return `${baseUrl} (data directory ${dataDir})`;
  return named === undefined ? `${baseUrl} (the default: no daemon runs in data directory ${dataDir})` : baseUrl;
}

function parseEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new UsageError(`--endpoint must be an http(s) URL such as ${DEFAULT_ENDPOINT}, not "${text}".`);
}

const localNames = new Set(["127.0.0.1", "localhost", "[::1]"]);

function isSamePlace(endpoint: URL, daemon: URL): boolean {
  if (endpoint.protocol !== daemon.protocol || endpoint.port !== daemon.port) return false;
  const areLocal = localNames.has(daemon.hostname) && localNames.has(endpoint.hostname);
  return areLocal || endpoint.hostname === daemon.hostname;
}
