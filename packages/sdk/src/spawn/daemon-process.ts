import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { endWithUs } from "./end-with-us.ts";
import type { SandboxAgentSpawnLogMode } from "./spawn-options.ts";

export interface DaemonCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: SandboxAgentSpawnLogMode;
}

const GRACE_MS = 5_000;
const LAST_OUTPUT_MS = 500;
const STDERR_TAIL_CHARS = 8_192;

const stdioOf: Record<SandboxAgentSpawnLogMode, StdioOptions> = {
  inherit: ["ignore", "inherit", "inherit"],
  pipe: ["ignore", "pipe", "pipe"],
  silent: ["ignore", "ignore", "pipe"],
};

/**
 * The process of a daemon. It leads a group of its own, so that Ctrl-C in a terminal reaches only this process, which can
 * then still talk to the daemon and ends it by ending.
 */
export class DaemonProcess {
  readonly child: ChildProcess;
  /** Resolves with how it ended, once it has. */
  readonly ended: Promise<string>;
  #stderr = "";
  #stopping: Promise<void> | undefined;

  private constructor(child: ChildProcess) {
    this.child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL_CHARS);
    });
    // A full pipe that nobody reads would stop the daemon.
    child.stdout?.resume();
    this.ended = endOf(child);
    if (child.pid !== undefined) void this.ended.then(endWithUs(child.pid, () => this.#signal("SIGTERM")));
  }

  static start({ command, args, env, log }: DaemonCommand): DaemonProcess {
    const detached = process.platform !== "win32";
    return new DaemonProcess(
      spawn(command, args, { env: { ...env }, stdio: stdioOf[log], detached, windowsHide: true }),
    );
  }

  /** What it wrote to stderr, as the end of a sentence; nothing when that went elsewhere. */
  lastWords(): string {
    const text = this.#stderr.trim();
    return text && ` It said:\n${text}`;
  }

  /** SIGTERM, then after the grace SIGKILL; resolves when it is gone. Idempotent. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#signal("SIGTERM");
    const timer = setTimeout(() => this.#signal("SIGKILL"), GRACE_MS);
    await this.ended;
    clearTimeout(timer);
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      // The whole group, so that a wrapper script does not leave the daemon behind.
      process.kill(process.platform === "win32" ? pid : -pid, signal);
    } catch {
      // It ended in this very moment.
    }
  }
}

/** Resolves after the process has ended and its last output was read, unless a process it left behind holds the pipe. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(explainSpawnError(error)));
    child.once("exit", (code, signal) => {
      const finish = (): void => {
        clearTimeout(timer);
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(signal ? `ended by ${signal}` : `exited with code ${code}`);
      };
      const timer = setTimeout(finish, LAST_OUTPUT_MS);
      child.once("close", finish);
    });
  });
}

function explainSpawnError(error: NodeJS.ErrnoException): string {
  if (error.code !== "ENOENT") return error.message;
  return `${error.path} was not found; install the package @sandbox-agent-ts/cli, or set SANDBOX_AGENT_BIN to the program`;
}
