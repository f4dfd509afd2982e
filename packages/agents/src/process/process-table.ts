import { readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { readBootId, readProcStat, readProcText } from "./proc-stat.ts";
import { findMarker, processMarkerVariable } from "./process-marker.ts";

/** Processes read between two turns of the event loop: about a millisecond. */
const SLICE = 32;

export interface ProcessInfo {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  readonly sessionId: number;
  /** Clock ticks since boot; with the pid it names one process for ever. */
  readonly startTime: number;
  readonly marker: string | null;
}

/** The machine's processes, without zombies and without ourselves. */
export interface ProcessTable {
  /** As of a moment after the call; calls that come together share one reading. */
  scan(): Promise<readonly ProcessInfo[]>;
  startTime(pid: number): number | null;
  readonly bootId: string;
}

/**
 * Linux has `/proc`; elsewhere there is no table (`null`) and only the process group can be told. Markers are what the
 * processes have in this variable of their environment.
 */
export function openProcessTable(variable = processMarkerVariable): ProcessTable | null {
  const bootId = readBootId();
  if (bootId === null || readProcStat(process.pid) === null) return null;
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<readonly ProcessInfo[]> | null = null;
  return {
    bootId,
    startTime: (pid) => readProcStat(pid)?.startTime ?? null,
    scan() {
      next ??= running.then(() => {
        next = null;
        const reading = readAllProcesses(variable);
        running = reading;
        return reading;
      });
      return next;
    },
  };
}

async function readAllProcesses(variable: string): Promise<ProcessInfo[]> {
  const processes: ProcessInfo[] = [];
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  for (const [index, pid] of pids.entries()) {
    if (index % SLICE === SLICE - 1) await setImmediate();
    const found = pid === process.pid ? null : readProcess(pid, variable);
    if (found) processes.push(found);
  }
  return processes;
}

function readProcess(pid: number, variable: string): ProcessInfo | null {
  const stat = readProcStat(pid);
  if (!stat || stat.isDead) return null;
  const { parentPid, groupId, sessionId, startTime } = stat;
  const environ = readProcText(`/proc/${pid}/environ`);
  const marker = environ === null ? null : findMarker(environ, variable);
  return { pid, parentPid, groupId, sessionId, startTime, marker };
}
