/** `inherit`: the daemon writes to this process's output. `pipe`: read it from `child`. `silent`: kept for errors only. */
export type SandboxAgentSpawnLogMode = "inherit" | "pipe" | "silent";

/** How a daemon is started. */
export interface SandboxAgentSpawnOptions {
  readonly enabled?: boolean | undefined;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** Default: a random one. */
  readonly token?: string | undefined;
  /**
   * The `sandbox-agent` program. Default: SANDBOX_AGENT_BIN, then the executable in the package for this platform
   * (@sandbox-agent-ts/cli-linux-x64 …), then the package @sandbox-agent-ts/cli, then PATH.
   */
  readonly binaryPath?: string | undefined;
  /** How long the daemon may take to answer; default 15 s. */
  readonly timeoutMs?: number | undefined;
  /** Default: silent. */
  readonly log?: SandboxAgentSpawnLogMode | undefined;
  /**
   * Where sessions are kept, so that the next daemon started here has them; one daemon at a time can use a directory.
   * Default: SANDBOX_AGENT_DATA_DIR of the daemon's environment; without both, sessions are kept in memory and end with
   * the daemon, and any number of programs can start one.
   */
  readonly dataDir?: string | undefined;
  /** Laid over this process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A daemon that this process started and will end. */
export interface SpawnedDaemon {
  readonly baseUrl: string;
  readonly token: string;
  /** SIGTERM, then SIGKILL; resolves when the process is gone. Idempotent. */
  dispose(): Promise<void>;
}
