import type { StderrExcerpt } from "@sandbox-agent/protocol";

export interface SpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the process; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** What the process is, for the log and the orphan record (`claude session s1`). */
  readonly label: string;
  /**
   * Called once per read of stdout with the whole lines it completed, without their newlines; never with half a line or
   * half a character. Throwing here ends the process.
   */
  readonly onLines: (lines: readonly string[]) => void;
  /** A longer line is cut out of the stream and reported instead of buffered. */
  readonly onOversizedLine?: (line: { bytes: number; head: string }) => void;
  /** Default 64 MiB. */
  readonly maxLineBytes?: number;
  /** Between SIGTERM and SIGKILL. Default 2,000 ms. */
  readonly graceMs?: number;
}

/** A supervised program in a process group of its own. */
export interface AgentProcess {
  readonly pid: number;
  /** Write one line to stdin; resolves when the pipe took it, rejects with `stream_error` when the process is gone. */
  writeLine(line: string): Promise<void>;
  endInput(): void;
  /** Settles once the process is gone and its output was delivered. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  stderr(): StderrExcerpt;
  /** SIGTERM to the group, then SIGKILL after the grace time. Idempotent; resolves when no process of the group is left. */
  stop(): Promise<ProcessExit>;
}

export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The program could not be started at all. */
  readonly spawnError?: Error;
  readonly stderr: StderrExcerpt;
}
