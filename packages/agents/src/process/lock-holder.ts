import { readlinkSync } from "node:fs";
import { processStartTime } from "./process-start-time.ts";

/** The process a lock belongs to. */
export interface LockHolder {
  readonly pid: number;
  /** Tells the process from a later one that got the same pid; null where the system cannot tell. */
  readonly startTime: string | null;
  /** Where the pid means something: containers that share a directory have namespaces of their own. Linux only. */
  readonly namespace?: string | undefined;
  /** A socket beside the lock on which the holder listens while it lives; anybody on the same kernel can try it. */
  readonly socket?: string | undefined;
}

export function describeProcess(pid: number): LockHolder {
  return { pid, startTime: processStartTime(pid), namespace: pidNamespace() };
}

function pidNamespace(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
}

/** Does the holder run, or did it, in another pid namespace of this machine? Then its pid tells nothing here. */
export function isElsewhere({ namespace, startTime }: LockHolder): boolean {
  const own = describeProcess(process.pid);
  if (namespace === undefined || own.namespace === undefined || namespace === own.namespace) return false;
  return bootOf(startTime) === bootOf(own.startTime);
}

const bootOf = (startTime: string | null): string | undefined => startTime?.split(":", 1)[0];

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
