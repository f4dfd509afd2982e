import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const limits = { timeout: 120_000, maxBuffer: 64 * 1024 * 1024 };

/**
 * Runs a program for its schema: with a fresh home, with nothing of our environment but `PATH`, and without a network where
 * Linux lets us take it away. `use` gets the home; what it answers is the answer.
 */
export async function runIsolated(command, argsOf, { env = {}, use }) {
  const home = mkdtempSync(join(tmpdir(), "sandbox-agent-schema-"));
  try {
    mkdirSync(join(home, "out"));
    const args = argsOf(join(home, "out"));
    const alone = (await canLeaveNetwork()) ? ["unshare", ["-rn", command, ...args]] : [command, args];
    const { stdout } = await run(...alone, {
      ...limits,
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, ...env },
    });
    return await use({ stdout, out: join(home, "out") });
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

let leaves;
const canLeaveNetwork = () =>
  (leaves ??= run("unshare", ["-rn", "true"], limits).then(
    () => true,
    () => false,
  ));
