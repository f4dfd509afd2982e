import type { AgentAdapter } from "@sandbox-agent-ts/agents";
import type { CorsOptions, LogFormat, LogLevel, UiSource } from "@sandbox-agent-ts/server";
import type { AcpAgentConfig } from "./agents/acp-agent-config.ts";

export interface DaemonOptions {
  /** What the daemon says it is, in health, server info and the OpenAPI document. */
  readonly version: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** `null` switches authentication off. */
  readonly token: string | null;
  readonly cors: CorsOptions;
  /** Where sessions are kept; `null` keeps them in memory only. */
  readonly dataDir: string | null;
  /** Directories the filesystem API may reach besides the sessions' own; empty means the home directory. */
  readonly fsRoots: readonly string[];
  readonly logLevel: LogLevel;
  /** How log lines are written to stderr: for a person who watches, or for programs. Default: json. */
  readonly logFormat?: LogFormat | undefined;
  /** The file that stderr goes to, when it is the daemon's own: it is rotated. */
  readonly logFile?: string | undefined;
  /** The environment agents are started from; the daemon's own secrets are taken out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `false`: a session whose agent is missing is refused, instead of installing it. Default: true. */
  readonly autoInstall?: boolean | undefined;
  /** Why the daemon before this one ended, where whoever starts this one knows: said with the turns that it cut off. */
  readonly restartReason?: string | undefined;
  /** Custom agents that are programs speaking ACP. Checked at start, wherever the configuration comes from. */
  readonly acpAgents?: readonly AcpAgentConfig[];
  /** The files of the web inspector, by their directory or otherwise; without it `/ui/` is not served. */
  readonly ui?: string | UiSource | undefined;
  /** Agents besides the built-in ones. */
  readonly extraAgents?: readonly AgentAdapter[];
}

/** A running daemon. */
export interface Daemon {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Streams are closed cleanly, agents ended, the log synced. Idempotent. */
  close(): Promise<void>;
}
