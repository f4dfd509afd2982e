import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  openSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { DirectoryChain } from "../workspace/directory-chain.ts";
import type { FileName } from "../workspace/file-name.ts";
import type { OpenDirectory } from "../workspace/open-directory.ts";

const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const defaultMode = 0o666;

export interface NewFile {
  readonly bytes: Buffer;
  readonly mode: number | undefined;
  /** Epoch milliseconds; absent: now. */
  readonly mtime: number | undefined;
}

/**
 * Makes many small things below a directory that it holds. It only makes what is not there, and follows no symlink: whatever
 * is in the way is thrown, as the system says it.
 */
export class TreeWriter {
  readonly #chain: DirectoryChain;

  constructor(root: OpenDirectory) {
    this.#chain = new DirectoryChain(root);
  }

  makeFile(parts: readonly FileName[], { bytes, mode, mtime }: NewFile): void {
    const at = this.#parentOf(parts).at(parts.at(-1)!);
    const fd = openSync(at, flags, mode ?? defaultMode);
    try {
      writeAll(fd, bytes);
      finish(fd, mode, mtime);
    } catch (error) {
      unlinkSync(at);
      throw error;
    } finally {
      closeSync(fd);
    }
  }

  /** As its bytes come; one that breaks off leaves nothing. */
  async makeLargeFile(
    parts: readonly FileName[],
    { stream, mode, mtime }: Omit<NewFile, "bytes"> & { readonly stream: AsyncIterable<Buffer> },
  ): Promise<void> {
    const at = this.#parentOf(parts).at(parts.at(-1)!);
    const fd = openSync(at, flags, mode ?? defaultMode);
    try {
      for await (const bytes of stream) writeAll(fd, bytes);
      finish(fd, mode, mtime);
    } catch (error) {
      unlinkSync(at);
      throw error;
    } finally {
      closeSync(fd);
    }
  }

  makeDirectory(parts: readonly FileName[]): void {
    this.#chain.enter(parts, "make");
  }

  /** In the place of a file or another link, if there is one. */
  makeSymlink(parts: readonly FileName[], target: Buffer): void {
    const at = this.#parentOf(parts).at(parts.at(-1)!);
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found && !found.isDirectory()) unlinkSync(at);
    symlinkSync(target, at);
  }

  setMode(parts: readonly FileName[], mode: number): void {
    chmodSync(this.#chain.enter(parts, "refuse").at("."), mode);
  }

  /** Of a file, or of a link itself; one that lies behind a link keeps its own. */
  setTimes(parts: readonly FileName[], mtime: number): void {
    try {
      const parent = this.#chain.enter(parts.slice(0, -1), "refuse");
      lutimesSync(parent.at(parts.at(-1)!), mtime / 1000, mtime / 1000);
    } catch {
      // A time is not worth an upload.
    }
  }

  close(): void {
    this.#chain.close();
  }

  #parentOf(parts: readonly FileName[]): OpenDirectory {
    return this.#chain.enter(parts.slice(0, -1), "make");
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}

function finish(fd: number, mode: number | undefined, mtime: number | undefined): void {
  if (mode !== undefined) fchmodSync(fd, mode);
  if (mtime !== undefined) futimesSync(fd, mtime / 1000, mtime / 1000);
}
