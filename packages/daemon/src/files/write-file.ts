import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, rename, unlink, writeFile as writeBytes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { HeldDirectory } from "@sandbox-agent-ts/agents/held-directory";
import { type FsWriteResponse, SandboxError } from "@sandbox-agent-ts/protocol";
import type { FileAccess, FileTarget } from "./file-access.ts";
import { errnoOf, shown } from "./fs-problem.ts";
import { withEntry } from "./with-entry.ts";

const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const permissionBits = 0o777;
const defaultMode = 0o666;

type Body = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Writes a file as a whole: into a temporary one beside it, which takes its place when everything has arrived. A body
 * that breaks off leaves what was there. Missing directories are made, and stay even then.
 *
 * `mode` wins over the mode of the file that is replaced, which wins over the default; never more than 0o777 of either.
 */
export function writeFile(access: FileAccess, target: FileTarget, body: Body, mode?: number): Promise<FsWriteResponse> {
  return withEntry(access, target, { symlink: "follow", parents: "make" }, async ({ directory, name, path }) => {
    const replaced = await existingFile(directory, name, target.path);
    const exactMode = mode ?? replaced?.mode;
    const temporary = temporaryName();
    const isGone = await access.noteTemporary?.(join(dirname(path), temporary));
    try {
      const handle = await open(directory.at(temporary), flags, (exactMode ?? defaultMode) & permissionBits);
      const bytesWritten = await fill(handle, body, exactMode);
      await rename(directory.at(temporary), directory.at(name));
      return { path, bytesWritten };
    } catch (error) {
      await unlink(directory.at(temporary)).catch(() => undefined);
      throw error;
    } finally {
      await isGone?.();
    }
  });
}

/** A name in the directory of what it is to replace; starts with a dot so that listings in a shell stay calm. */
export function temporaryName(): string {
  return `.sandbox-agent-${randomBytes(8).toString("hex")}.tmp`;
}

export function isTemporaryName(name: string): boolean {
  return /^\.sandbox-agent-[0-9a-f]{16}\.tmp$/.test(name);
}

async function existingFile(directory: HeldDirectory, name: string, path: string): Promise<Stats | undefined> {
  const stats = await lstat(directory.at(name)).catch((error: unknown) => {
    if (errnoOf(error) !== "ENOENT") throw error;
    return undefined;
  });
  if (stats === undefined || stats.isFile()) return stats;
  const kind = stats.isDirectory() ? "a directory" : "not a regular file";
  throw new SandboxError("invalid_request", `${shown(path)} is ${kind} and cannot be written. Name a file.`);
}

async function fill(handle: FileHandle, body: Body, mode: number | undefined): Promise<number> {
  try {
    await writeBytes(handle, untorn(body));
    if (mode !== undefined) await handle.chmod(mode & permissionBits);
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** Tells a sender that went away from a disk that failed. */
async function* untorn(body: Body): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    throw new SandboxError("invalid_request", "The body broke off; the file was left as it was. Send it again.", {
      cause: error,
    });
  }
}
