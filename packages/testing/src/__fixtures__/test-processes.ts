import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";

const markName = "STARTED_BY_TEST";

/** Reads until the other end is gone, then ends whatever has the mark in its environment, until nothing has (or 10 s). */
const endMarked = `read -r _
for attempt in $(seq 200); do
  pids=$(grep -lszF "$0" /proc/[0-9]*/environ | cut -d/ -f3)
  [ -n "$pids" ] || exit
  kill -KILL $pids
  sleep 0.05
done`;

/**
 * Processes of a test. They and all they start, also what detaches itself, are gone after `end`; and when this process is
 * killed, because a shell reads from a pipe that only we hold. (Where there is no /proc, only children are found.)
 */
export class TestProcesses {
  /** What has this anywhere in its environment belongs to the test. */
  readonly mark = randomUUID();
  /** The mark as an environment, for whoever starts processes by other means. */
  readonly markedEnv: Readonly<Record<string, string>> = { [markName]: this.mark };
  readonly #children = new Set<ChildProcess>();
  #watch: ChildProcess | undefined;
  #isOver = false;

  /** From now on what has the mark is gone when this process is, also what is started by other means. */
  watch(): void {
    if (!this.#isOver) this.#watch ??= watchFor(this.mark);
  }

  /** Throws after `end`, so that a test which timed out starts nothing any more. */
  spawn(command: string, args: readonly string[], options: Pick<SpawnOptions, "cwd" | "env">) {
    if (this.#isOver) throw new Error(`The test that starts ${command} ${args.join(" ")} is over.`);
    this.watch();
    const child = spawn(command, args, { ...options, env: { ...options.env, ...this.markedEnv }, stdio: "pipe" });
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    return child;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    const processes = [...this.#children];
    for (const child of processes) child.kill("SIGKILL");
    this.#watch?.stdin?.end();
    if (this.#watch) processes.push(this.#watch);
    await Promise.all(processes.map(gone));
  }
}

function watchFor(mark: string): ChildProcess {
  const shell = spawn("/bin/sh", ["-c", endMarked, mark], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: process.env.PATH },
    detached: true,
  });
  shell.unref();
  (shell.stdin as typeof shell.stdin & { unref(): void }).unref();
  return shell;
}

async function gone(child: ChildProcess): Promise<void> {
  const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  if (isRunning) await once(child, "exit");
}
