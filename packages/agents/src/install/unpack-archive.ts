import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { type ArchiveEntry, type OnArchiveBytes, tarEntries } from "./archive-entries.ts";
import { installFailure, reasonOf } from "./install-failure.ts";
import type { OnStep } from "./install-progress.ts";
import type { ArchiveFormat } from "./sources/vendor-releases.ts";
import type { UnpackedFiles } from "./unpacked-files.ts";
import { syncDirectory } from "./write-whole.ts";
import { zipEntries } from "./zip-entries.ts";

/** No program is this big; an archive that is means harm. */
const maxUnpackedBytes = 8 * 1024 ** 3;
const maxEntries = 200_000;
const anyoneMayRun = 0o111;

/** A package of the npm registry: everything is in one folder. */
const packedByNpm: ArchiveFormat = { kind: "tgz", strip: 1 };

export interface UnpackOptions {
  readonly format?: ArchiveFormat;
  /** The file that is the program; of what is no archive, the name it gets. */
  readonly executable?: string | undefined;
  readonly onStep?: OnStep;
}

/**
 * Unpacks an archive into a directory that is there and empty, without the folder that everything is in, if its format
 * says that there is one, and syncs it to disk. Only files: at a link, a device or a name that leads out nothing more is
 * written.
 */
export async function unpackArchive(
  archive: string,
  directory: string,
  { format = packedByNpm, executable, onStep }: UnpackOptions = {},
): Promise<UnpackedFiles> {
  const { size: total } = await stat(archive).catch(() => ({ size: 0 }));
  const onBytes: OnArchiveBytes = (bytes) => onStep?.({ step: "unpack", bytes, total });
  const folders = new Set([directory]);
  const files = new Map<string, string>();
  let bytes = 0;
  let count = 0;
  try {
    for await (const entry of entriesOf(archive, format, executable, onBytes)) {
      bytes += entry.size;
      if (bytes > maxUnpackedBytes || ++count > maxEntries) throw tooBig();
      const name = fileName(entry, format.strip ?? 0);
      if (name !== undefined) {
        files.set(name, await writeEntry(entry, join(directory, name), name === executable, folders));
      }
    }
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    throw installFailure(`Unpacking the package failed: ${reasonOf(error)}`, { step: "unpack" }, error);
  }
  for (const folder of folders) await syncDirectory(folder);
  return files;
}

function entriesOf(
  archive: string,
  { kind }: ArchiveFormat,
  executable: string | undefined,
  onBytes: OnArchiveBytes,
): AsyncIterable<ArchiveEntry> {
  if (kind === "tgz") return tarEntries(archive, onBytes);
  return kind === "zip" ? zipEntries(archive, onBytes) : theFileItself(archive, executable ?? "program", onBytes);
}

async function* theFileItself(archive: string, name: string, onBytes: OnArchiveBytes): AsyncGenerator<ArchiveEntry> {
  const { size } = await stat(archive);
  async function* content() {
    let bytes = 0;
    for await (const piece of createReadStream(archive) as AsyncIterable<Uint8Array>) {
      bytes += piece.length;
      yield piece;
      onBytes(bytes);
    }
  }
  yield { name, type: "file", mode: anyoneMayRun, size, content: content() };
}

/** Where an entry belongs, `undefined` for a folder: those are made for the files in them. */
function fileName({ name, type }: ArchiveEntry, strip: 0 | 1): string | undefined {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (name.startsWith("/") || name.includes("\0") || name.includes("\\") || name.split("/").includes("..")) {
    throw hostile(name, "leads out of the package");
  }
  if (type === "directory") return undefined;
  if (type !== "file" && type !== "contiguous-file") throw hostile(name, `is a ${type}`);
  const kept = parts.slice(strip);
  if (kept.length === 0) throw hostile(name, "is outside of the package's folder");
  return kept.join("/");
}

/** Returns what the file hashes to. */
async function writeEntry(
  entry: ArchiveEntry,
  path: string,
  isExecutable: boolean,
  folders: Set<string>,
): Promise<string> {
  const folder = dirname(path);
  if (!folders.has(folder)) await mkdir(folder, { recursive: true });
  folders.add(folder);
  const mode = isExecutable || entry.mode & anyoneMayRun ? 0o755 : 0o644;
  const file = await open(path, "w", mode);
  const hash = createHash("sha256");
  async function* hashed() {
    for await (const piece of entry.content) {
      hash.update(piece);
      yield piece;
    }
  }
  try {
    await writeFile(file, hashed());
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest("base64");
}

const tooBig = () => installFailure("The package is too big to be a program.", { step: "unpack" });

function hostile(name: string, why: string): SandboxError {
  return installFailure(`The package cannot be trusted: its entry ${JSON.stringify(name)} ${why}.`, { step: "unpack" });
}
