import { setTimeout as pause } from "node:timers/promises";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { isAlive, type RunRecord, removeRunRecord, runningDaemon } from "./run-record.ts";

/** Long enough for the daemon to end its agents, which it gives a grace of their own. */
const GRACE_MS = 20_000;
const KILL_WAIT_MS = 5_000;
/** A process that is not our child cannot be awaited, only looked at. */
const LOOK_EVERY_MS = 25;

export interface StopResult {
  readonly pid?: number;
  readonly outcome: "not running" | "stopped" | "killed";
}

/** End the daemon of a data directory: TERM, a grace, KILL. Never signals a process that is not that daemon. */
export async function stopBackground(dataDir: string, graceMs = GRACE_MS): Promise<StopResult> {
  const daemon = runningDaemon(dataDir);
  if (daemon === undefined) return { outcome: "not running" };
  const { pid } = daemon;
  signal(pid, "SIGTERM");
  if (await isGoneWithin(daemon, graceMs)) return { pid, outcome: "stopped" };
  signal(pid, "SIGKILL");
  if (!(await isGoneWithin(daemon, KILL_WAIT_MS))) {
    throw new SandboxError("timeout", `The daemon (pid ${pid}) is still there after SIGKILL; look at it with ps.`);
  }
  removeRunRecord(dataDir, pid);
  return { pid, outcome: "killed" };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function isGoneWithin(daemon: RunRecord, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (isAlive(daemon)) {
    if (performance.now() > deadline) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}
