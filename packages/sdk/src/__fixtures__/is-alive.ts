import { readFileSync } from "node:fs";

/** Is the process running? A zombie, which only waits for its parent or init to notice, is not. */
export function isAlive(pid: number): boolean {
  if (process.platform === "linux") return stateOf(pid) !== "Z" && stateOf(pid) !== undefined;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function stateOf(pid: number): string | undefined {
  try {
    return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
