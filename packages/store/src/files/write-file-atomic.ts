import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Replace a file in one step: a reader, or a start after a crash, finds the old text or the new one. */
export function writeFileAtomic(path: string, text: string, options: { durable: boolean }): void {
  const temporary = `${path}.new`;
  const descriptor = openSync(temporary, "w", 0o600);
  try {
    writeFileSync(descriptor, text);
    if (options.durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, path);
  if (options.durable) syncDirectory(dirname(path));
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
