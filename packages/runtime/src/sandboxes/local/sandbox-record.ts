import { renameSync, writeFileSync } from "node:fs";
import { readRegularTextSync } from "@sandbox-agent-ts/agents/process-identity";
import type { SandboxSpec } from "../sandbox-provider.ts";
import type { SandboxFolder } from "./sandbox-folder.ts";

/** What has to be known of a sandbox to find it again from another process. Holds no secrets. */
export interface SandboxRecord {
  readonly id: string;
  readonly createdAt: number;
  readonly isolation: "bubblewrap" | "none";
  readonly spec: SandboxSpec;
  /** Control groups that are, or are to be, its own. */
  readonly groups: readonly string[];
  /** The one that was started last. */
  readonly daemon?: DaemonRecord | undefined;
  /** Its end has begun; whatever is left of it only waits to be removed. */
  readonly isEnding?: boolean | undefined;
}

export interface DaemonRecord {
  /** Of the process that supervises it. */
  readonly pid: number;
  readonly startTime: string;
  /** Undefined where it listens on the socket. */
  readonly port?: number | undefined;
}

export function readRecord({ record }: SandboxFolder): SandboxRecord | undefined {
  try {
    return JSON.parse(readRegularTextSync(record)) as SandboxRecord;
  } catch {
    return undefined;
  }
}

/** Replaced in one step. Not synced: a power cut ends the processes too. */
export function writeRecord({ record }: SandboxFolder, value: SandboxRecord): void {
  const beside = `${record}.${process.pid}`;
  writeFileSync(beside, JSON.stringify(value), { mode: 0o600 });
  renameSync(beside, record);
}
