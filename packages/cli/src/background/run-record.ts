import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processStartTime, readRegularTextSync } from "@sandbox-agent-ts/agents/process-identity";

/** What a daemon writes about itself into its data directory while it runs. */
export interface RunRecord {
  readonly pid: number;
  /** Tells the daemon from another process that got its pid later. */
  readonly startTime: string;
  readonly url: string;
  /** Only a token that was generated: one that somebody chose is theirs to keep. */
  readonly token?: string;
  /** The file that it logs to; a daemon in the foreground has none. */
  readonly log?: string;
}

const OWNER_ONLY = 0o600;

const recordPath = (dataDir: string): string => join(dataDir, "daemon.json");

/** Where a daemon in the background writes its log. */
export const logPath = (dataDir: string): string => join(dataDir, "daemon.log");

export function writeRunRecord(dataDir: string, record: RunRecord): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const beside = `${recordPath(dataDir)}.${record.pid}`;
  rmSync(beside, { force: true });
  writeFileSync(beside, `${JSON.stringify(record)}\n`, { mode: OWNER_ONLY, flag: "wx" });
  renameSync(beside, recordPath(dataDir));
}

/** Remove the record unless another daemon has written its own since. */
export function removeRunRecord(dataDir: string, pid: number): void {
  if (readRunRecord(dataDir)?.pid === pid) rmSync(recordPath(dataDir), { force: true });
}

/** The record of a daemon that is alive right now. */
export function runningDaemon(dataDir: string): RunRecord | undefined {
  const record = readRunRecord(dataDir);
  return record !== undefined && isAlive(record) ? record : undefined;
}

export function isAlive({ pid, startTime }: RunRecord): boolean {
  return processStartTime(pid) === startTime;
}

function readRunRecord(dataDir: string): RunRecord | undefined {
  try {
    const value: unknown = JSON.parse(readRegularTextSync(recordPath(dataDir)));
    return isRunRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRunRecord(value: unknown): value is RunRecord {
  if (typeof value !== "object" || value === null) return false;
  const { pid, startTime, url, token, log } = value as Record<string, unknown>;
  const isPid = Number.isSafeInteger(pid) && (pid as number) > 1;
  const isOptionalText = (field: unknown) => field === undefined || typeof field === "string";
  return isPid && typeof startTime === "string" && typeof url === "string" && [token, log].every(isOptionalText);
}
