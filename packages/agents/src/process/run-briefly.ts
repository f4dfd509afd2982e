import { spawn } from "node:child_process";

export interface BriefRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** More output ends the program. */
  readonly maxOutputBytes: number;
}

export interface BriefResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Why the output is not all there is; undefined after exit code 0. */
  readonly failure?: string;
}

/**
 * Ask a program something, for a bounded time. It and what it starts have a process group of their own, which is gone
 * afterwards. Never rejects.
 */
export function runBriefly({ command, args, env, timeoutMs, maxOutputBytes }: BriefRun): Promise<BriefResult> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], { env: { ...env }, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    // Without descriptors for its pipes there are none.
    if (child.pid === undefined) {
      child.once("error", ({ message }) =>
        resolve({ stdout: "", stderr: "", failure: `it cannot be started: ${message}` }),
      );
      return;
    }
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let bytes = 0;
    let failure: string | undefined;
    const end = (why: string) => {
      failure ??= why;
      killGroup(child.pid);
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => end(`it did not answer within ${timeoutMs / 1000} s`), timeoutMs);
    for (const name of ["stdout", "stderr"] as const) {
      child[name].on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        output[name].push(chunk);
        if (bytes > maxOutputBytes) end(`it wrote more than ${maxOutputBytes} bytes`);
      });
    }
    const text = (name: keyof typeof output) => Buffer.concat(output[name]).toString("utf8");
    const settle = (why: string | undefined) => {
      clearTimeout(timer);
      resolve({ stdout: text("stdout"), stderr: text("stderr"), ...(why === undefined ? {} : { failure: why }) });
    };
    // What it started may hold the pipes open.
    child.once("exit", () => setImmediate(() => killGroup(child.pid)));
    child.once("close", (code, signal) => {
      const how = code === 0 ? undefined : signal === null ? `it exited with ${code}` : `it was ended by ${signal}`;
      settle(failure ?? how);
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}
