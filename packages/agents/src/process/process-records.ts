import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRegularTextSync } from "../files/read-regular-file.ts";

/** What the next daemon has to know to end a process that this one, killed, could not. */
export interface ProcessRecord {
  readonly pid: number;
  readonly startTime: number | null;
  readonly bootId: string | null;
  readonly label: string;
  readonly marker: string;
  /** Its control group, where it has one. */
  readonly cgroup?: string | null;
  /** What it started and what then shed the marker and the process group. */
  readonly strays?: readonly Stray[];
}

interface Stray {
  readonly pid: number;
  readonly startTime: number;
}

/** One small file per running process. Not synced: a power cut ends the processes too. */
export interface ProcessRecords {
  add(record: ProcessRecord): void;
  remove(marker: string): void;
  list(): ProcessRecord[];
}

export const noProcessRecords: ProcessRecords = { add() {}, remove() {}, list: () => [] };

export function openProcessRecords(dir: string): ProcessRecords {
  const pathOf = (marker: string) => join(dir, `${encodeURIComponent(marker)}.json`);
  return {
    add(record) {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      writeFileSync(pathOf(record.marker), JSON.stringify(record), { mode: 0o600 });
    },
    remove(marker) {
      rmSync(pathOf(marker), { force: true });
    },
    list() {
      return fileNames(dir).flatMap((name) => {
        const record = readRecord(join(dir, name));
        if (!record) rmSync(join(dir, name), { force: true });
        return record ?? [];
      });
    },
  };
}

function fileNames(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

/** `null` for a file torn by the kill: its process is found by its marker. */
function readRecord(path: string): ProcessRecord | null {
  try {
    const record = JSON.parse(readRegularTextSync(path)) as Partial<ProcessRecord> | null;
    const isWhole = typeof record?.pid === "number" && typeof record.marker === "string";
    return isWhole ? (record as ProcessRecord) : null;
  } catch {
    return null;
  }
}
