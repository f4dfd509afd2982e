import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const chunkBytes = 256 * 1024;
const shared = Buffer.allocUnsafe(chunkBytes);

export interface Hashed {
  readonly hash: string;
  readonly size: number;
}

/** Opens a regular file, never through a symlink and without waiting for whoever is at the other end of a pipe. */
export function openRegular(path: string | Buffer): { fd: number; stats: Stats } | undefined {
  const fd = openSync(path, readFlags);
  const stats = fstatSync(fd);
  if (stats.isFile()) return { fd, stats };
  closeSync(fd);
  return undefined;
}

/** SHA-256 of what is in a file now; "too_large" when there is more than `maxBytes`, undefined when it is no regular file. */
export async function hashContent(path: string | Buffer, maxBytes: number): Promise<Hashed | "too_large" | undefined> {
  const opened = openRegular(path);
  if (!opened) return undefined;
  const hash = createHash("sha256");
  let size = 0;
  try {
    for (;;) {
      // The buffer is shared: nothing may happen between reading into it and hashing it.
      const length = readSync(opened.fd, shared, 0, chunkBytes, size);
      if (length === 0) return { hash: hash.digest("hex"), size };
      hash.update(shared.subarray(0, length));
      size += length;
      if (size > maxBytes) return "too_large";
      if (length === chunkBytes) await setImmediate();
    }
  } finally {
    closeSync(opened.fd);
  }
}

/** All that is in an open file now, up to `maxBytes` and one more. */
export function readWhole(fd: number, expected: number, maxBytes: number): Buffer {
  let bytes = Buffer.allocUnsafe(Math.min(expected, maxBytes) + 1);
  let size = 0;
  for (;;) {
    const length = readSync(fd, bytes, size, bytes.length - size, size);
    size += length;
    if (length === 0 || size > maxBytes) return bytes.subarray(0, size);
    if (size === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(size + 1024)]);
  }
}
