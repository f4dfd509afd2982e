import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { processStartTime } from "@sandbox-agent-ts/agents/process-identity";
import { describeExit } from "../describe-exit.ts";
import { SandboxProviderError } from "../sandbox-provider.ts";
import type { SandboxFolder } from "./sandbox-folder.ts";

/**
 * Waits for a line, so that the process is on record before anything runs. Then the command runs in its control groups
 * with nothing but standard error, which is kept in two files of bounded size. How it ended is written down when its last
 * words are, or a little later where something it started still holds standard error open.
 */
const supervisor = `read -r _ || exit 0
ctl=$1 groups=$2
shift 2
{
  IFS=:
  for group in $groups; do echo 0 >"$group/cgroup.procs"; done
  unset IFS
  "$@" </dev/null 2>&1 >/dev/null
  echo "$?" >"$ctl/exit.new"
  exec >&-
  sleep 0.2
  mv "$ctl/exit.new" "$ctl/exit"
} | {
  [ ! -s "$ctl/log" ] || mv "$ctl/log" "$ctl/log.1"
  while dd of="$ctl/log" bs=4096 count=1024 && [ -s "$ctl/log" ]; do mv "$ctl/log" "$ctl/log.1"; done
  cat >/dev/null
  mv "$ctl/exit.new" "$ctl/exit"
}`;

export interface SupervisedCommand {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly groups: readonly string[];
}

/** Start a command that outlives this process. It runs once `onRecord` has kept who supervises it. */
export async function startSupervised(
  { ctl }: SandboxFolder,
  { command, env, cwd, groups }: SupervisedCommand,
  onRecord: (supervisor: { pid: number; startTime: string }) => void,
): Promise<void> {
  rmSync(exitFile(ctl), { force: true });
  const child = spawn("/bin/sh", ["-c", supervisor, "sandbox", ctl, groups.join(":"), ...command], {
    detached: true,
    cwd,
    env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.unref();
  try {
    await once(child, "spawn");
    const startTime = processStartTime(child.pid!);
    if (startTime === null) throw new Error("The shell that supervises it ended at once.");
    onRecord({ pid: child.pid!, startTime });
    await new Promise<void>((resolve, reject) => {
      child.stdin.once("error", reject);
      child.stdin.end("go\n", resolve);
    });
  } catch (cause) {
    child.stdin.destroy();
    throw new SandboxProviderError("failed", `The daemon could not be started: ${(cause as Error).message}`, { cause });
  }
}

/** How the last command ended: its exit code, or 128 and the number of a signal; undefined while it runs. */
export function exitStatus({ ctl }: SandboxFolder): number | undefined {
  try {
    return Number.parseInt(readFileSync(exitFile(ctl), "latin1"), 10);
  } catch {
    return undefined;
  }
}

export function describeEnd(status: number | undefined): string {
  if (status === undefined)
    return "The daemon is gone and nobody saw its end: the machine was restarted, or what supervised it was killed.";
  return describeExit(status);
}

/** The last bytes of what the commands said, over both files. */
export function logTail({ ctl }: SandboxFolder, maxBytes: number): string {
  const bytes = Buffer.concat(["log.1", "log"].map((name) => readIfThere(join(ctl, name))));
  return bytes.subarray(Math.max(0, bytes.length - maxBytes)).toString("utf8");
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

const exitFile = (ctl: string) => join(ctl, "exit");
