import { readFileSync } from "node:fs";

/** What Linux tells of a process in `/proc/<pid>/stat`, as far as we need it. */
export interface ProcStat {
  /** A zombie: it has ended and only waits for its parent to notice. */
  readonly isDead: boolean;
  /** Held by SIGSTOP or its like. */
  readonly isStopped: boolean;
  readonly parentPid: number;
  readonly groupId: number;
  readonly sessionId: number;
  /** Clock ticks since boot. */
  readonly startTime: number;
}

/** The name of the program, in parentheses, may itself hold spaces and parentheses: fields are counted after the last one. */
export function readProcStat(pid: number): ProcStat | null {
  const text = readProcText(`/proc/${pid}/stat`);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parentPid, groupId, sessionId] = fields;
  const startTime = fields[19];
  const isDead = state === "Z" || state === "X";
  return {
    isDead,
    isStopped: state === "T",
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    sessionId: Number(sessionId),
    startTime: Number(startTime),
  };
}

/** Names this run of the machine; `null` where there is no `/proc`. */
export function readBootId(): string | null {
  return readProcText("/proc/sys/kernel/random/boot_id")?.trim() ?? null;
}

export function readProcText(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return null;
  }
}
