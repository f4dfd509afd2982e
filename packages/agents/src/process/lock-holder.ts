import { processStartTime } from "./process-start-time.ts";

/** The process a lock belongs to. */
export interface LockHolder {
  readonly pid: number;
  /** Tells the process from a later one that got the same pid; null where the system cannot tell. */
  readonly startTime: string | null;
}

export function describeProcess(pid: number): LockHolder {
  return { pid, startTime: processStartTime(pid) };
}

/** Undefined for a text that is none, as a power cut may leave. */
export function parseHolder(text: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(text) as LockHolder | null;
    return Number.isInteger(holder?.pid) ? (holder ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

export function isAlive({ pid, startTime }: LockHolder): boolean {
  return startTime === null ? isRunning(pid) : processStartTime(pid) === startTime;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
