import { execFileSync } from "node:child_process";
import { readBootId, readProcStat } from "./proc-stat.ts";

/**
 * When the process with this pid began, in the words of its system: with the pid it names one process for ever, also
 * across restarts of the machine. `null` when none with this pid is alive; a zombie is not.
 */
export function processStartTime(pid: number): string | null {
  const bootId = readBootId();
  return bootId === null ? startTimeFromPs(pid) : startTimeFromProc(pid, bootId);
}

function startTimeFromProc(pid: number, bootId: string): string | null {
  const stat = readProcStat(pid);
  return stat === null || stat.isDead ? null : `${bootId}:${stat.startTime}`;
}

/** `ps` says the time in the language and zone of whoever asks, and must say the same to all. */
const sameForAll = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/** For systems without `/proc`. */
export function startTimeFromPs(pid: number): string | null {
  const args = ["-o", "stat=", "-o", "lstart=", "-p", String(pid)];
  try {
    const line = execFileSync("ps", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], env: sameForAll });
    const [state = "", ...start] = line.trim().split(/\s+/);
    return state.startsWith("Z") ? null : start.join(" ") || null;
  } catch {
    return null;
  }
}
