import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/** Settings, credentials and records are small; what is larger is not one. */
const maxBytes = 64 * 1024 * 1024;

/** Opening a pipe waits for a writer unless told not to. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Read a file that anybody may have replaced by a pipe, a device or gigabytes: those are refused instead of waited for. */
export async function readRegularFile(path: string, limit = maxBytes): Promise<Buffer> {
  const file = await open(path, flags);
  try {
    check(path, await file.stat(), limit);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

export async function readRegularText(path: string, limit = maxBytes): Promise<string> {
  return (await readRegularFile(path, limit)).toString("utf8");
}

export function readRegularTextSync(path: string, limit = maxBytes): string {
  const descriptor = openSync(path, flags);
  try {
    check(path, fstatSync(descriptor), limit);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

function check(path: string, stats: Stats, limit: number): void {
  if (!stats.isFile()) throw refusal("EINVAL", `${path} is not a regular file.`);
  if (stats.size > limit) throw refusal("EFBIG", `${path} has ${stats.size} bytes; at most ${limit} are read.`);
}

function refusal(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}
