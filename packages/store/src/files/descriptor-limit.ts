import { readFileSync } from "node:fs";

/** What most systems allow where they do not say. */
const usualLimit = 1024;

/** How many files, pipes and connections this process may have open at once. */
export function descriptorLimit(readLimits = () => readFileSync("/proc/self/limits", "latin1")): number {
  try {
    const [, limit] = /^Max open files\s+(\d+|unlimited)/m.exec(readLimits()) ?? [];
    return limit === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(limit ?? usualLimit);
  } catch {
    return usualLimit;
  }
}
