import { join, resolve } from "node:path";
import type { AuditOptions, PoolOptions, QuotaOptions, RuntimeLimits } from "@sandbox-agent-ts/runtime";
import { type LogLevel, logLevels } from "@sandbox-agent-ts/server";
import { dataDirectory, type Environment } from "../data-dir.ts";
import { UsageError } from "../usage-error.ts";
import { type RuntimeConfig, readRuntimeConfig } from "./runtime-config.ts";

export interface RuntimeFlags {
  readonly host?: string;
  readonly port?: string;
  readonly provider?: string;
  readonly isolation?: string;
  readonly dockerHost?: string;
  readonly dockerImage?: string;
  readonly dockerPrograms?: string;
  readonly dockerNetwork?: string;
  readonly dockerMemory?: string;
  readonly dockerCpus?: string;
  readonly logLevel?: string;
  readonly dataDir?: string;
  readonly config?: string;
  readonly poolSize?: string;
  readonly profilesDir?: string;
}

export interface RuntimeSettings {
  readonly host: string;
  readonly port: number;
  readonly provider: string;
  readonly providerSettings: Readonly<Record<string, unknown>>;
  readonly logLevel: LogLevel;
  readonly limits: Partial<RuntimeLimits>;
  readonly pool: PoolOptions;
  readonly profilesDir?: string;
  readonly quotas: QuotaOptions;
  readonly audit: AuditOptions;
  /** Everything of the runtime on this machine is in here. */
  readonly directory: string;
  readonly storeFile: string;
}

const defaultPort = 2470;

/** What the command line, the environment, the configuration file and the defaults come to, the first that says it. */
export function runtimeSettings(flags: RuntimeFlags, env: Environment): RuntimeSettings {
  const config: RuntimeConfig = flags.config === undefined ? {} : readRuntimeConfig(flags.config);
  const dataDir = flags.dataDir ?? (env.SANDBOX_AGENT_DATA_DIR || config.dataDir);
  const directory = join(dataDirectory(dataDir, env), "runtime");
  const port = Number(flags.port ?? config.port ?? defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port is a number from 0 to 65535, not "${flags.port}".`);
  }
  const logLevel = logLevels.find((level) => level === (flags.logLevel ?? config.logLevel ?? "info"));
  if (!logLevel) throw new UsageError(`--log-level is one of ${logLevels.join(", ")}, not "${flags.logLevel}".`);
  const poolSize = Number(flags.poolSize ?? config.pool?.size ?? 0);
  if (!Number.isInteger(poolSize) || poolSize < 0) {
    throw new UsageError(`--pool-size is a number from 0 on, not "${flags.poolSize}".`);
  }
  const provider = flags.provider ?? config.provider ?? "local";
  const profilesDir = flags.profilesDir ?? config.profilesDir;
  return {
    host: flags.host ?? config.host ?? "127.0.0.1",
    port,
    provider,
    providerSettings: { ...config.providerSettings, ...present(settingsFor(provider, flags, env)) },
    logLevel,
    limits: present(config.limits ?? {}),
    pool: { ...config.pool, size: poolSize },
    ...(profilesDir === undefined ? {} : { profilesDir: resolve(profilesDir) }),
    quotas: config.quotas ?? {},
    audit: config.audit ?? {},
    directory,
    storeFile: join(directory, "runtime.db"),
  };
}

/** What the command line and the environment say about a provider; flags of another are an error of its settings. */
function settingsFor(provider: string, flags: RuntimeFlags, env: Environment): Readonly<Record<string, unknown>> {
  return {
    isolation: flags.isolation,
    host: flags.dockerHost ?? (provider === "docker" ? env.DOCKER_HOST || undefined : undefined),
    image: flags.dockerImage,
    programs: flags.dockerPrograms,
    network: flags.dockerNetwork,
    memoryMiB: flags.dockerMemory,
    cpus: flags.dockerCpus,
  };
}

/** Without the fields that are undefined, which would take the place of defaults. */
function present<T extends object>(fields: T): { [Field in keyof T]: Exclude<T[Field], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Field in keyof T]: Exclude<T[Field], undefined> };
}
