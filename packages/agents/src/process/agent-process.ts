import type { StderrExcerpt } from "@sandbox-agent-ts/protocol";

export interface SpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the process; nothing is inherited, and `SANDBOX_AGENT_PROCESS` is added. */
  readonly env: Readonly<Record<string, string>>;
  /** What the process is, for the log and the orphan record (`claude session s1`). */
  readonly label: string;
  /**
   * Called once per read of stdout with the whole lines it completed, without their newlines; never with half a line or
   * half a character. Empty lines are lines. Output after the last newline counts as a line when the program exits with
   * code 0; a program that died was still writing it. Throwing here ends the process.
   */
  readonly onLines: (lines: readonly string[]) => void;
  /** A longer line is cut out of the stream and reported, in its place between calls of `onLines`, instead of buffered. */
  readonly onOversizedLine?: (line: { bytes: number; head: string }) => void;
  /** Default 64 MiB. */
  readonly maxLineBytes?: number;
  /** Between SIGTERM and SIGKILL. Default 2,000 ms. */
  readonly graceMs?: number;
}

/**
 * A supervised program in a process group of its own.
 *
 * What it starts in the background may outlive it, so that an agent with a process per turn can leave a server running
 * for the next turn. `stop` is what ends all of that: call it for every process when its session closes, exited or not.
 */
export interface AgentProcess {
  /** -1 when the program could not be started; `exited` then tells why. */
  readonly pid: number;
  /**
   * Write one line to stdin. Resolves when the pipe took it, so a caller that waits never fills the memory; rejects with
   * `stream_error` when the process is gone or has closed its stdin.
   */
  writeLine(line: string): Promise<void>;
  /** Close stdin after what was written. */
  endInput(): void;
  /**
   * Settles once the process is gone and its output was delivered; `onLines` is not called afterwards. A descendant that
   * keeps the pipes open does not delay it. Never rejects.
   */
  readonly exited: Promise<ProcessExit>;
  stderr(): StderrExcerpt;
  /**
   * SIGTERM to the group, then SIGKILL after the grace time. Idempotent; resolves when no process of the group is left
   * and, on Linux, none that it started and that left the group. Rejects with `timeout` when the kernel does not let go.
   */
  stop(): Promise<ProcessExit>;
}

export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The program could not be started at all. */
  readonly spawnError?: Error;
  /** What `onLines` or `onOversizedLine` threw; the process was ended for it. */
  readonly outputError?: Error;
  readonly stderr: StderrExcerpt;
}
