import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type FsUploadBatchResponse, SandboxError } from "@sandbox-agent-ts/protocol";
import { type ReadEntry, readTar } from "@sandbox-agent-ts/server/tar";
import type { FileName } from "../workspace/file-name.ts";
import { openDirectory } from "../workspace/workspaces.ts";
import { type ArchiveEntry, archiveEntry } from "./archive-entry.ts";
import { checkedArchive } from "./checked-archive.ts";
import type { FileAccess, FileTarget } from "./file-access.ts";
import { fsProblem, shown } from "./fs-problem.ts";
import { makeDirectory } from "./make-directory.ts";
import { TreeWriter } from "./tree-writer.ts";
import { writeFile } from "./write-file.ts";

const maxListedPaths = 1024;
/** Up to here a file is taken whole and made in one go. */
const smallBytes = 256 * 1024;
/** Others get their turn after so long. */
const sliceMs = 20;
const maxLaterModes = 100_000;
/** What can be reached by its whole path, with room for a temporary name. */
const longestPath = 4000;

/**
 * Unpacks a tar archive into a directory, which is made when it is missing, entry by entry as the bytes arrive.
 *
 * The target is the jail: neither a name in the archive nor a symlink that is already there leads out of it, not even
 * into another root. At the first entry that tries, or when the archive breaks off, the upload is refused; files unpacked
 * until then are whole and stay. Files get the permissions of the archive (0o777 of them). Only where it is to be `exact`
 * directories do, too, files get the archive's times, and symlinks are made; what they point to is of no concern, because
 * nothing is written through one that leads out.
 */
export async function uploadTar(
  access: FileAccess,
  target: FileTarget,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  exact = false,
): Promise<FsUploadBatchResponse> {
  const { path: root } = await makeDirectory(access, target);
  const unpacking = new Unpacking(access, root, exact, new TreeWriter(openDirectory(root, target)));
  const paths: string[] = [];
  let count = 0;
  let sliceEnds = performance.now() + sliceMs;
  try {
    for await (const read of readTar(checkedArchive(body))) {
      const path = await unpacking.unpack(read);
      if (path !== undefined && ++count <= maxListedPaths) paths.push(path);
      if (performance.now() < sliceEnds) continue;
      await setImmediate();
      sliceEnds = performance.now() + sliceMs;
    }
    await unpacking.finish();
  } catch (error) {
    throw unreadable(error);
  } finally {
    unpacking.close();
  }
  return { paths, truncated: count > maxListedPaths };
}

class Unpacking {
  readonly #root: string;
  readonly #jail: FileAccess;
  readonly #isExact: boolean;
  readonly #writer: TreeWriter;
  /** Set at the end: nothing could be made in a directory that may not be written. */
  readonly #modes: { readonly parts: readonly FileName[]; readonly mode: number }[] = [];

  constructor(access: FileAccess, root: string, isExact: boolean, writer: TreeWriter) {
    this.#root = root;
    this.#jail = { ...access, roots: () => [root], base: () => root };
    this.#isExact = isExact;
    this.#writer = writer;
  }

  /** Answers the path of the file written. */
  async unpack(read: ReadEntry): Promise<string | undefined> {
    const entry = archiveEntry(read.entry, this.#isExact);
    if (entry.parts.length === 0) return undefined;
    if (entry.kind === "file") return this.#file(read, entry);
    if (entry.kind === "symlink")
      await this.#attempt(entry, () => this.#writer.makeSymlink(entry.parts, read.entry.target));
    else await this.#directory(entry);
    return undefined;
  }

  async finish(): Promise<void> {
    for (const { parts, mode } of this.#modes.reverse()) {
      await this.#attempt({ path: parts.join("/") }, () => this.#writer.setMode(parts, mode));
    }
  }

  close(): void {
    this.#writer.close();
  }

  async #file(read: ReadEntry, { parts, path, mode }: ArchiveEntry): Promise<string> {
    const { size, mtime: given } = read.entry;
    const mtime = this.#isExact ? given : undefined;
    let bytes: Buffer | undefined;
    if (size <= smallBytes) {
      bytes = await read.bytes();
      try {
        this.#writer.makeFile(parts, { bytes, mode, mtime });
        return join(this.#root, path.toString());
      } catch {
        // Something is in the way, a link perhaps; what may be done about it is known below.
      }
    }
    const whole = join(this.#root, path.toString());
    if (!bytes && (typeof path !== "string" || Buffer.byteLength(whole) > longestPath)) {
      await this.#attempt({ path }, () => this.#writer.makeLargeFile(parts, { stream: read.stream(), mode, mtime }));
      return whole;
    }
    const written = await writeFile(this.#jail, { path: asText(path) }, bytes ? [bytes] : read.stream(), mode);
    if (mtime !== undefined) this.#writer.setTimes(parts, mtime);
    return written.path;
  }

  async #directory({ parts, path, mode }: ArchiveEntry): Promise<void> {
    try {
      this.#writer.makeDirectory(parts);
    } catch {
      await makeDirectory(this.#jail, { path: asText(path) });
    }
    if (!this.#isExact || mode === undefined) return;
    if (this.#modes.length >= maxLaterModes) throw new SandboxError("payload_too_large", "Too many directories.");
    this.#modes.push({ parts, mode });
  }

  async #attempt({ path }: { path: FileName }, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw fsProblem(error, path.toString());
    }
  }
}

function asText(path: FileName): string {
  if (typeof path === "string") return path;
  const sentence = `${shown(path.toString())} is no UTF-8, and something is already there. Delete it first.`;
  throw new SandboxError("invalid_request", sentence);
}

function unreadable(error: unknown): SandboxError {
  if (error instanceof SandboxError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const sentence = `The archive cannot be read to its end (${reason}). Send a whole, uncompressed tar.`;
  return new SandboxError("invalid_request", sentence, { cause: error });
}
