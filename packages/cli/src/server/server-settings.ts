import { resolve } from "node:path";
import type { CorsOptions, LogFormat, LogLevel } from "@sandbox-agent-ts/daemon";
import { dataDirectory, type Environment } from "../data-dir.ts";
import { UsageError } from "../usage-error.ts";
import { DEFAULT_HOST, DEFAULT_PORT } from "./server-flags.ts";

/** What the command line and the environment say about a server. */
export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  /** `null` switches authentication off, `undefined` asks for a random one. */
  readonly token: string | null | undefined;
  readonly cors: CorsOptions;
  readonly dataDir: string;
  readonly fsRoots: readonly string[];
  /** Custom agents, as `id=command args…`. */
  readonly acpAgents: readonly string[];
  /** Absolute. */
  readonly acpAgentsFile: string | undefined;
  /** Install an agent that is missing with the first session of it. */
  readonly autoInstall: boolean;
  /** Serve the web inspector, if there is one. */
  readonly ui: boolean;
  readonly ephemeral: boolean;
  readonly logLevel: LogLevel;
  /** `undefined`: text for a terminal, else JSON. */
  readonly logFormat: LogFormat | undefined;
  readonly quiet: boolean;
}

/** Flags by name, as a parser found them. */
export type FlagValues = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

const logLevels: readonly LogLevel[] = ["silent", "error", "warn", "info", "debug"];
const DEFAULT_LOG_LEVEL: LogLevel = "info";
const HIGHEST_PORT = 65_535;

export function serverSettings(values: FlagValues, env: Environment): ServerSettings {
  return {
    host: text(values, "host") ?? DEFAULT_HOST,
    port: portOf(text(values, "port")),
    token: tokenOf(values, env),
    cors: {
      origins: texts(values, "cors-allow-origin"),
      methods: texts(values, "cors-allow-method"),
      headers: texts(values, "cors-allow-header"),
      credentials: values["cors-allow-credentials"] === true,
    },
    dataDir: dataDirectory(text(values, "data-dir"), env),
    fsRoots: texts(values, "fs-root"),
    acpAgents: texts(values, "acp-agent"),
    acpAgentsFile: pathOf(text(values, "acp-agents-file")),
    autoInstall:
      values["no-auto-install"] !== true && !/^(off|0|false|no)$/i.test(env.SANDBOX_AGENT_AUTO_INSTALL ?? ""),
    ui: values["no-ui"] !== true,
    ephemeral: values.ephemeral === true,
    logLevel: logLevelOf(text(values, "log-level")),
    logFormat: logFormatOf(text(values, "log-format")),
    quiet: values.quiet === true,
  };
}

function text(values: FlagValues, name: string): string | undefined {
  const value = values[name];
  if (value === "") throw new UsageError(`--${name} needs a value.`);
  return typeof value === "string" ? value : undefined;
}

function texts(values: FlagValues, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.map(String) : [];
}

/** Absolute: a daemon in the background works in another directory. */
function pathOf(value: string | undefined): string | undefined {
  return value === undefined ? undefined : resolve(value);
}

function tokenOf(values: FlagValues, env: Environment): string | null | undefined {
  const token = text(values, "token");
  if (values["no-token"] !== true) return token ?? (env.SANDBOX_AGENT_TOKEN || undefined);
  if (token !== undefined) throw new UsageError("--token and --no-token exclude each other: give one of them.");
  return null;
}

function portOf(value: string | undefined): number {
  if (value === undefined) return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(port <= HIGHEST_PORT))
    throw new UsageError(`--port must be a number from 0 to ${HIGHEST_PORT}, not "${value}".`);
  return port;
}

function logLevelOf(value: string | undefined): LogLevel {
  const level = logLevels.find((known) => known === (value ?? DEFAULT_LOG_LEVEL));
  if (level === undefined) throw new UsageError(`--log-level must be one of ${logLevels.join(", ")}, not "${value}".`);
  return level;
}

const logFormats: readonly LogFormat[] = ["text", "json"];

function logFormatOf(value: string | undefined): LogFormat | undefined {
  if (value === undefined) return undefined;
  const format = logFormats.find((known) => known === value);
  if (format === undefined) throw new UsageError(`--log-format must be text or json, not "${value}".`);
  return format;
}
