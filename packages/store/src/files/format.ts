import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { storeFailure } from "./store-failure.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

/** Brings a directory from the format before to its own; must be safe to run again after a crash halfway. */
export type Migration = (directory: string) => void;

/** `migrations[n]` leads from format n + 1 to n + 2; the number of formats there ever were is their count plus one. */
const migrations: readonly Migration[] = [
  // `turns.jsonl` may say that a turn was withdrawn. Earlier versions would take that for a message; the files are the same.
  () => {},
];

/** Refuse a directory that cannot be brought to today's format. Writes nothing that has to be synced. */
export function checkFormat(directory: string, steps: readonly Migration[] = migrations): void {
  try {
    formatOf(directory, steps.length + 1);
  } catch (cause) {
    throw storeFailure(directory, cause);
  }
}

/** Make sure that the directory is in today's format: new, current, or brought forward. A newer one is refused. */
export function ensureFormat(directory: string, steps: readonly Migration[] = migrations): void {
  const current = steps.length + 1;
  const file = join(directory, "format.json");
  try {
    const found = formatOf(directory, current);
    if (found === undefined) writeFormat(file, current);
    for (let format = found ?? current; format < current; format++) {
      steps[format - 1]!(directory);
      writeFormat(file, format + 1);
    }
  } catch (cause) {
    throw storeFailure(directory, cause);
  }
}

/** None yet in a directory without sessions: it is a new one, and gets its format before its first session. */
function formatOf(directory: string, current: number): number | undefined {
  const sessions = join(directory, "sessions");
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  accessSync(sessions, constants.W_OK);
  const file = join(directory, "format.json");
  if (!existsSync(file) && readdirSync(sessions).length === 0) return undefined;
  const found = readFormat(file, current);
  if (found > current) throw newerFormat(directory, found, current);
  return found;
}

function readFormat(file: string, current: number): number {
  try {
    const { format } = JSON.parse(readFileSync(file, "utf8")) as { format: number };
    if (Number.isInteger(format) && format >= 1) return format;
  } catch {
    // Said below.
  }
  throw new SandboxError(
    "internal_error",
    `${file} cannot be read, so the format of the data beside it is unknown. ` +
      `Restore it ({"format":${current}} for this version) or choose another directory with --data-dir.`,
  );
}

function newerFormat(directory: string, found: number, current: number): SandboxError {
  return new SandboxError(
    "internal_error",
    `${directory} was written by a newer version (format ${found}, this one knows ${current}). ` +
      "Update sandbox-agent or choose another directory with --data-dir.",
  );
}

function writeFormat(file: string, format: number): void {
  writeFileAtomic(file, `${JSON.stringify({ format })}\n`, { durable: true });
}
