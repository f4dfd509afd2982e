import { readFileSync } from "node:fs";
import { openProcessTable } from "@sandbox-agent/agents";

/** The process a lock belongs to. */
export interface LockHolder {
  readonly pid: number;
  /** With the boot it tells a process from a later one that got the same pid; null where the system cannot tell. */
  readonly startTime: number | null;
  readonly bootId: string | null;
}

export function describeProcess(pid: number): LockHolder {
  const table = openProcessTable();
  return { pid, startTime: table?.startTime(pid) ?? null, bootId: table?.bootId ?? null };
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

export function isAlive(holder: LockHolder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const now = describeProcess(holder.pid);
  return now.bootId === holder.bootId && now.startTime === holder.startTime && !isZombie(holder.pid);
}

/** Dead, but still in the table, where its parent does not ask for it: in many containers nobody ever does. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.startsWith("Z", stat.lastIndexOf(")") + 2);
  } catch {
    return false;
  }
}
