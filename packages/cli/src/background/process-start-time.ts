import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const START_TIME_FIELD = 19;

/** When a process began, as its system says it; undefined when there is no such process. A pid comes again, this does not. */
export function processStartTime(pid: number): string | undefined {
  return existsSync("/proc/self/stat") ? fromProc(pid) : fromPs(pid);
}

/** Fields are counted after the program's name, which is in parentheses and may hold anything. */
function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isDead = fields[0] === "Z" || fields[0] === "X";
    return isDead ? undefined : fields[START_TIME_FIELD];
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): string | undefined {
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined;
  }
}
