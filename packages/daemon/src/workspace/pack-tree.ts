import { closeSync, lstatSync, readlinkSync, read as readWithCallback, type Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { tarEnd, tarHeader, tarPadding } from "@sandbox-agent-ts/server/tar";
import { errnoOf } from "../files/fs-problem.ts";
import { DirectoryChain } from "./directory-chain.ts";
import { type FileName, joined, partsOf } from "./file-name.ts";
import type { OpenDirectory } from "./open-directory.ts";
import { openRegular, readWhole } from "./read-content.ts";

const read = promisify(readWithCallback);
const permissionBits = 0o777;
/** Up to here a file is read whole before its size is told, so that it may change meanwhile. */
const wholeBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;
/** Small pieces go together. */
const batchBytes = 256 * 1024;

/**
 * A tar archive of chosen paths below a directory, as it is taken. Those that are missing, special, or lie behind a symlink
 * are passed over; symlinks are packed as links. A directory is packed without what is in it.
 */
export async function* packTree(
  openRoot: () => OpenDirectory,
  paths: Iterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  const chain = new DirectoryChain(openRoot());
  let batch: Buffer[] = [];
  let batched = 0;
  const take = (): Buffer => {
    const bytes = Buffer.concat(batch, batched);
    batch = [];
    batched = 0;
    return bytes;
  };
  try {
    for (const path of paths) {
      const parts = partsOf(path);
      if (!parts?.length) continue;
      for await (const bytes of packOne(chain, parts)) {
        batch.push(bytes);
        batched += bytes.length;
        if (batched < batchBytes) continue;
        yield take();
        await setImmediate();
      }
    }
    batch.push(tarEnd());
    batched += batch.at(-1)!.length;
    yield take();
  } finally {
    chain.close();
  }
}

async function* packOne(chain: DirectoryChain, parts: readonly FileName[]): AsyncGenerator<Buffer, void, undefined> {
  const name = Buffer.from(parts.reduce(joined, ""));
  let at: string | Buffer;
  let stats: Stats;
  let opened: { fd: number; stats: Stats } | undefined;
  try {
    at = chain.enter(parts.slice(0, -1), "refuse").at(parts.at(-1)!);
    stats = lstatSync(at);
    if (stats.isDirectory()) return yield tarHeader({ name, kind: "directory", size: 0, ...modeOf(stats) });
    if (stats.isSymbolicLink()) {
      const target = readlinkSync(at, { encoding: "buffer" });
      return yield tarHeader({ name, kind: "symlink", size: 0, ...modeOf(stats), target });
    }
    opened = stats.isFile() ? openRegular(at) : undefined;
  } catch (error) {
    // Not of the system: more levels than are held.
    if (errnoOf(error) === "EMFILE" || errnoOf(error) === "ENFILE") throw error;
  }
  if (!opened) return;
  try {
    yield* packFile(name, opened.fd, opened.stats);
  } finally {
    closeSync(opened.fd);
  }
}

async function* packFile(name: Buffer, fd: number, stats: Stats): AsyncGenerator<Buffer, void, undefined> {
  const fields = { name, kind: "file", ...modeOf(stats) } as const;
  const whole = stats.size <= wholeBytes ? readWhole(fd, stats.size, wholeBytes) : undefined;
  if (whole && whole.length <= wholeBytes) {
    yield tarHeader({ ...fields, size: whole.length });
    yield whole;
    return yield tarPadding(whole.length);
  }
  const size = Math.max(stats.size, wholeBytes);
  yield tarHeader({ ...fields, size });
  for (let position = 0; position < size; ) {
    const bytes = Buffer.allocUnsafe(Math.min(chunkBytes, size - position));
    const { bytesRead } = await read(fd, bytes, 0, bytes.length, position);
    if (bytesRead === 0) throw new SandboxError("stream_error", "A file shrank while it was packed. Try again.");
    position += bytesRead;
    yield bytes.subarray(0, bytesRead);
  }
  yield tarPadding(size);
}

function modeOf({ mode, mtimeMs }: Stats): { mode: number; mtime: number } {
  return { mode: mode & permissionBits, mtime: mtimeMs };
}
