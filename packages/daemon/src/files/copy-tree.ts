import { constants } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open, readlink, symlink, writeFile } from "node:fs/promises";
import type { HeldDirectory } from "@sandbox-agent-ts/agents/held-directory";
import { SandboxError } from "@sandbox-agent-ts/protocol";

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const writeFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const permissionBits = 0o777;
const chunkBytes = 128 * 1024;

interface Spot {
  readonly directory: HeldDirectory;
  readonly name: string | Buffer;
}

/** Copies whatever is at `from` to the free name `to`, with permissions and file times; symlinks are copied as links. */
export async function copyTree(from: Spot, to: Spot): Promise<void> {
  const source = from.directory.at(from.name);
  const target = to.directory.at(to.name);
  const stats = await lstat(source);
  if (stats.isSymbolicLink()) return symlink(await readlink(source, { encoding: "buffer" }), target);
  if (stats.isFile()) return copyFile(source, target);
  if (!stats.isDirectory()) {
    throw new SandboxError("invalid_request", "A socket, pipe or device cannot be moved to another filesystem.");
  }
  await mkdir(target, 0o700);
  await copyInside(from, to);
  await chmod(target, stats.mode & permissionBits);
}

async function copyInside(from: Spot, to: Spot): Promise<void> {
  const source = await from.directory.child(from.name);
  try {
    const target = await to.directory.child(to.name);
    try {
      for (const name of await source.names()) {
        await copyTree({ directory: source, name }, { directory: target, name });
      }
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copyFile(source: string | Buffer, target: string | Buffer): Promise<void> {
  const reader = await open(source, readFlags);
  try {
    const stats = await reader.stat();
    const writer = await open(target, writeFlags, stats.mode & permissionBits);
    try {
      await writeFile(writer, bytesOf(reader));
      await writer.chmod(stats.mode & permissionBits);
      await writer.utimes(stats.atime, stats.mtime);
    } finally {
      await writer.close();
    }
  } finally {
    await reader.close();
  }
}

async function* bytesOf(reader: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await reader.read(Buffer.allocUnsafe(chunkBytes));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
