import { readFileSync } from "node:fs";
import { openProcessTable } from "../process/process-table.ts";

export interface MarkedProcess {
  readonly pid: number;
  readonly commandLine: string;
}

/** The living processes that supervisors of this owner started, with all that these started. Empty where there is no `/proc`. */
export async function markedProcesses(owner: string): Promise<MarkedProcess[]> {
  const processes = (await openProcessTable()?.scan()) ?? [];
  return processes
    .filter(({ marker }) => marker?.startsWith(`${owner}:`))
    .map(({ pid }) => ({ pid, commandLine: commandLineOf(pid) }));
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}
