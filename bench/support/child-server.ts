import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A server under measurement, in a process of its own. It prints its URL when it listens. */
export interface ChildServer {
  readonly url: string;
  readonly pid: number;
  /** Resident memory in bytes. */
  memory(): number;
  /** The most resident memory it ever had, in bytes. */
  peakMemory(): number;
  /** How long it has had a processor, in milliseconds. */
  cpuMs(): number;
  /** Resident memory in bytes when garbage is out of the way; for our own daemon only. */
  settledMemory(): Promise<number>;
  stop(): Promise<void>;
}

export async function startServer(
  command: readonly string[],
  dataDir?: string,
  env: Readonly<Record<string, string>> = {},
  onLog?: (line: string) => void,
): Promise<ChildServer> {
  const [program, ...args] = command;
  const stdio = ["ignore", "pipe", onLog ? "pipe" : "inherit"] as const;
  const child = spawn(program!, args, { stdio: [...stdio], env: { ...scrubbed(), ...env } });
  if (onLog) createInterface(child.stderr!).on("line", onLog);
  const url = await printedUrl(child);
  return {
    url,
    pid: child.pid!,
    memory: () => residentBytes(child.pid!),
    peakMemory: () => peakBytes(child.pid!),
    cpuMs: () => processorMs(child.pid!),
    settledMemory: async () => {
      for (let n = 0; n < 3; n++) {
        child.kill("SIGUSR2");
        await new Promise((resolve) => setTimeout(resolve, 400));
      }
      return residentBytes(child.pid!);
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, "exit");
        child.kill("SIGTERM");
        await exited;
      }
      if (dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A server made from a file of `bench/servers`. */
export function startBenchServer(name: string, ...args: string[]): Promise<ChildServer> {
  return startServer([process.execPath, ...benchServer(name), ...args]);
}

/** Our daemon with the fake agent, durable in a directory that goes with it. */
export function startDaemonServer(): Promise<ChildServer> {
  const dataDir = temporaryDirectory();
  return startServer([process.execPath, "--expose-gc", ...benchServer("daemon"), dataDir], dataDir);
}

/** Our daemon as users start it. */
export function startCli(env: Readonly<Record<string, string>> = {}): Promise<ChildServer> {
  const dataDir = temporaryDirectory();
  return startServer([process.execPath, ...cliCommand(dataDir)], dataDir, env);
}

export function cliCommand(dataDir: string): string[] {
  return [process.env.SANDBOX_AGENT_CLI!, ...serverFlags(dataDir)];
}

export function serverFlags(dataDir: string): string[] {
  return ["server", "--port", "0", "--no-token", "--data-dir", dataDir, "--log-level", "error"];
}

export function benchServer(name: string): string[] {
  const extension = name === "http-floor" ? "cjs" : "mjs";
  return [join(process.env.SANDBOX_AGENT_BENCH!, `bench-${name}.${extension}`)];
}

export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), "sandbox-agent-bench-"));
}

function residentBytes(pid: number): number {
  const [, pages = "0"] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
  return Number(pages) * 4096;
}

function peakBytes(pid: number): number {
  const [, kibibytes = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}

/** The kernel counts in hundredths of a second. */
function processorMs(pid: number): number {
  const [user = "0", system = "0"] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ").slice(11);
  return (Number(user) + Number(system)) * 10;
}

async function printedUrl(child: ChildProcess): Promise<string> {
  let output = "";
  for await (const chunk of child.stdout!) {
    output += chunk;
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
    if (found) {
      child.stdout!.resume();
      return found[0];
    }
  }
  throw new Error(`The server ended before it listened: ${output}`);
}

/** Nothing of the machine's own settings decides a figure. */
function scrubbed(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}) };
}
