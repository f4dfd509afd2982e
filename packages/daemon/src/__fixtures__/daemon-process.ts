import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { TestProcesses } from "../../../testing/src/__fixtures__/test-processes.ts";
import type { DaemonOptions } from "../daemon-options.ts";
import { type AtEnd, atEndOfTest } from "./at-end.ts";
import { bundle } from "./bundle.ts";
import { Client } from "./client.ts";

export interface ProcessOptions extends Partial<Omit<DaemonOptions, "extraAgents" | "env">> {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A command that runs the daemon, as `unshare` does. */
  readonly within?: readonly string[];
}

/** A daemon in a process of its own, which can be killed; gone with its agents when the test is over. */
export class DaemonProcess {
  readonly url: string;
  readonly client: Client;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #stderr: Buffer[];

  private constructor(child: ChildProcess, stderr: Buffer[], url: string, token: string | null) {
    this.#child = child;
    this.#stderr = stderr;
    this.pid = child.pid!;
    this.url = url;
    this.client = new Client(url, token);
  }

  static async start(
    { env = {}, cwd, within = [], ...options }: ProcessOptions,
    atEnd: AtEnd = atEndOfTest,
  ): Promise<DaemonProcess> {
    const processes = new TestProcesses();
    atEnd(() => processes.end());
    const program = [...within, process.execPath, await bundle("daemon-program"), JSON.stringify(options)];
    const child = processes.spawn(program[0]!, program.slice(1), {
      env: { PATH: process.env.PATH, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    });
    const stderr: Buffer[] = [];
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    const [line] = (await Promise.race([
      once(createInterface(child.stdout), "line"),
      once(child, "exit"),
    ])) as unknown[];
    if (typeof line !== "string") {
      throw new Error(`the daemon did not start: ${Buffer.concat(stderr).toString().trim()}`);
    }
    return new DaemonProcess(child, stderr, JSON.parse(line).url, options.token ?? null);
  }

  get stderr(): string {
    return Buffer.concat(this.#stderr).toString();
  }

  /** Resident memory in bytes. */
  get memory(): number {
    const pages = readFileSync(`/proc/${this.pid}/statm`, "utf8").split(" ")[1];
    return Number(pages) * 4096;
  }

  /** `kill -9`; resolves when it is dead. */
  async kill(): Promise<void> {
    await end(this.#child, "SIGKILL");
  }

  /** Ask it to stop; resolves with its exit code. */
  async stop(): Promise<number | null> {
    return end(this.#child, "SIGTERM");
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill(signal);
  await once(child, "exit");
  return child.exitCode;
}
