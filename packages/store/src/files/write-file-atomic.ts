import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Replace a file in one step: a reader, or a start after a crash, finds the old text or the new one. */
export function writeFileAtomic(path: string, text: string, options: { durable: boolean }): void {
  const temporary = `${path}.new`;
  const descriptor = createNew(temporary);
  try {
    writeFileSync(descriptor, text);
    if (options.durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, path);
  if (options.durable) syncDirectory(dirname(path));
}

/** Never through a link, or into a file, that somebody put there; what an earlier crash left is replaced. */
function createNew(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    rmSync(path, { force: true });
    return openSync(path, "wx", 0o600);
  }
}

/** Names in a directory become durable with the directory, not with the files. */
function syncDirectory(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
