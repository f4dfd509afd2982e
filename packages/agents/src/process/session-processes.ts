import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { readProcStat, readProcText } from "./proc-stat.ts";

/** The environment variable that commands of one session carry, where one server runs those of several. */
export const sessionMarkVariable = "SANDBOX_AGENT_SESSION_MARK";

const GRACE_MS = 1_000;
const LIMIT_MS = 3_000;
const POLL_MS = 25;
const TICKS_PER_SECOND = 100;

interface MarkedProcess {
  readonly pid: number;
  readonly parentPid: number;
  /** Clock ticks since boot. */
  readonly startTime: number;
}

/** Now, as processes tell when they started; 0 where there is no `/proc`. */
export function processClock(): number {
  return Math.floor(Number.parseFloat(readProcText("/proc/uptime") ?? "0") * TICKS_PER_SECOND);
}

interface Which {
  /** A moment of `processClock`: only what was started since then, by nothing that was there before. */
  readonly since?: number;
  /** A process that knows its children itself: only what left it. */
  readonly leftOf?: number;
}

/**
 * Ends what the commands of a session, which carry one of these marks, started and left behind, in whatever process group.
 * Does nothing where there is no `/proc`.
 */
export async function endSessionProcesses(mark: string | readonly string[], which: Which = {}): Promise<void> {
  const begun = Date.now();
  const marks = new Set([mark].flat());
  for (let found = leftBehind(marks, which); found.length > 0; found = leftBehind(marks, which)) {
    const waited = Date.now() - begun;
    if (waited > LIMIT_MS) return;
    for (const { pid } of found) signal(pid, waited < GRACE_MS ? "SIGTERM" : "SIGKILL");
    await sleep(POLL_MS);
  }
}

function leftBehind(marks: ReadonlySet<string>, { since = 0, leftOf }: Which): MarkedProcess[] {
  const marked = new Map(markedProcesses(marks).map((process) => [process.pid, process]));
  const isMeant = ({ pid, startTime, parentPid }: MarkedProcess): boolean => {
    if (pid === leftOf || parentPid === leftOf || startTime < since) return false;
    const parent = marked.get(parentPid);
    return parent === undefined || isMeant(parent);
  };
  return [...marked.values()].filter(isMeant);
}

function markedProcesses(marks: ReadonlySet<string>): MarkedProcess[] {
  const pids = pidsOfMachine().filter((pid) => marks.has(markOf(pid) ?? ""));
  return pids.flatMap((pid) => {
    const stat = readProcStat(pid);
    return stat === null || stat.isDead ? [] : [{ pid, parentPid: stat.parentPid, startTime: stat.startTime }];
  });
}

function pidsOfMachine(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function markOf(pid: number): string | undefined {
  const variables = (readProcText(`/proc/${pid}/environ`) ?? "").split("\0");
  const name = `${sessionMarkVariable}=`;
  return variables.find((variable) => variable.startsWith(name))?.slice(name.length);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended meanwhile.
  }
}
