import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";

const maxBytes = 64 * 1024 * 1024;

/** The text of a small file. Throws for anything that is none: a pipe would block, a device might never end. */
export function readRegular(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw notRegular(path);
    if (stats.size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes.`);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Size and time of a file, zero for one that is not there. Throws for anything that is not a regular file. */
export function statRegular(path: string): { path: string; size: number; modified: number } {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw notRegular(path);
  return { path, size: found?.size ?? 0, modified: found?.mtimeMs ?? 0 };
}

function notRegular(path: string): Error {
  return new Error(`${path} is not a regular file.`);
}
