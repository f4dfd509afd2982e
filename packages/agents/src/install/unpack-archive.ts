import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { type ExtractEvents, extract } from "tar-stream";
import { installFailure, reasonOf } from "./install-failure.ts";
import type { OnStep } from "./install-progress.ts";
import type { UnpackedFiles } from "./unpacked-files.ts";
import { syncDirectory } from "./write-whole.ts";

type Entry = ExtractEvents["entry"][1];

/** No program is this big; an archive that is means harm. */
const maxUnpackedBytes = 8 * 1024 ** 3;
const anyoneMayRun = 0o111;

/**
 * Unpacks a package's archive into a directory that is there and empty, without the folder that everything in such an
 * archive is in, and syncs it to disk. Only files: at a link, a device or a name that leads out nothing more is written.
 */
export async function unpackArchive(
  archive: string,
  directory: string,
  { executable, onStep }: { readonly executable?: string | undefined; readonly onStep?: OnStep } = {},
): Promise<UnpackedFiles> {
  const { size: total } = await stat(archive).catch(() => ({ size: 0 }));
  const entries = extract();
  const compressed = createReadStream(archive);
  compressed.on("data", () => onStep?.({ step: "unpack", bytes: compressed.bytesRead, total }));
  const feeding = pipeline(compressed, createGunzip(), entries);
  // The loop below meets the same error; without this the process would call it unhandled.
  feeding.catch(() => undefined);
  const folders = new Set([directory]);
  const files = new Map<string, string>();
  let bytes = 0;
  try {
    for await (const entry of entries) {
      bytes += entry.header.size ?? 0;
      if (bytes > maxUnpackedBytes) throw installFailure("The package is too big to be a program.", { step: "unpack" });
      const name = fileName(entry.header);
      if (name === undefined) entry.resume();
      else files.set(name, await writeEntry(entry, join(directory, name), name === executable, folders));
    }
    await feeding;
  } catch (error) {
    entries.destroy();
    if (error instanceof SandboxError) throw error;
    throw installFailure(`Unpacking the package failed: ${reasonOf(error)}`, { step: "unpack" }, error);
  }
  for (const folder of folders) await syncDirectory(folder);
  return files;
}

/** Where an entry belongs, `undefined` for a folder: those are made for the files in them. */
function fileName({ name, type }: Entry["header"]): string | undefined {
  const [, ...parts] = name.split("/").filter((part) => part !== "" && part !== ".");
  if (name.startsWith("/") || name.includes("\0") || name.includes("\\") || name.split("/").includes("..")) {
    throw hostile(name, "leads out of the package");
  }
  if (type === "directory") return undefined;
  if (type !== "file" && type !== "contiguous-file") throw hostile(name, `is a ${type ?? "thing of unknown kind"}`);
  if (parts.length === 0) throw hostile(name, "is outside of the package's folder");
  return parts.join("/");
}

/** Returns what the file hashes to. */
async function writeEntry(entry: Entry, path: string, isExecutable: boolean, folders: Set<string>): Promise<string> {
  const folder = dirname(path);
  if (!folders.has(folder)) await mkdir(folder, { recursive: true });
  folders.add(folder);
  const mode = isExecutable || (entry.header.mode ?? 0) & anyoneMayRun ? 0o755 : 0o644;
  const file = await open(path, "w", mode);
  const hash = createHash("sha256");
  async function* hashed() {
    for await (const piece of entry as AsyncIterable<Uint8Array>) {
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

function hostile(name: string, why: string): SandboxError {
  return installFailure(`The package cannot be trusted: its entry ${JSON.stringify(name)} ${why}.`, { step: "unpack" });
}
