import { readlinkSync } from "node:fs";
import { readProcStat } from "./proc-stat.ts";

/**
 * The environment variable every supervised process carries, and with it everything it starts: `<owner>:<run>.<n>`.
 * `owner` is the data directory, `run` this life of the daemon with its pid and start time, `n` the spawn. It finds what
 * left the process group, and what a killed daemon had started but not yet recorded.
 */
export const processMarkerVariable = "SANDBOX_AGENT_PROCESS";

export interface ProcessMarkers {
  next(): string;
  /** Carried by a process of this owner from an earlier life of the daemon. */
  isEarlier(marker: string | null): boolean;
  /** Carried by a process of this life of the daemon. */
  isCurrent(marker: string | null): boolean;
}

export function createProcessMarkers(owner: string, run: string): ProcessMarkers {
  const ownerPrefix = `${owner}:`;
  const runPrefix = `${ownerPrefix}${run}.`;
  let count = 0;
  const isCurrent = (marker: string | null) => marker?.startsWith(runPrefix) ?? false;
  return {
    next: () => `${runPrefix}${++count}`,
    isEarlier: (marker) => (marker?.startsWith(ownerPrefix) ?? false) && !isCurrent(marker),
    isCurrent,
  };
}

/** A name for this life of the daemon by which others can tell whether it is over. */
export function nameRun(random: string): string {
  const namespace = pidNamespace();
  const stat = readProcStat(process.pid);
  return namespace === undefined || stat === null ? random : `${random}~${process.pid}~${stat.startTime}~${namespace}`;
}

/** Is the daemon that gave out this marker dead? False where that cannot be told, as of another container's. */
export function isAbandoned(marker: string | null): boolean {
  const [, pid, startTime, namespace] = /~(\d+)~(\d+)~(\d+)\.\d+$/.exec(marker ?? "") ?? [];
  if (pid === undefined || namespace !== pidNamespace()) return false;
  const daemon = readProcStat(Number(pid));
  return daemon === null || daemon.isDead || daemon.startTime !== Number(startTime);
}

function pidNamespace(): string | undefined {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0];
  } catch {
    return undefined;
  }
}

/** The marker in the text of a `/proc/<pid>/environ`. The last one counts: earlier ones may have been handed in. */
export function findMarker(environ: string, variable = processMarkerVariable): string | null {
  const name = `\0${variable}=`;
  const at = `\0${environ}`.lastIndexOf(name);
  if (at === -1) return null;
  const start = at + name.length - 1;
  const end = environ.indexOf("\0", start);
  return environ.slice(start, end === -1 ? undefined : end);
}
