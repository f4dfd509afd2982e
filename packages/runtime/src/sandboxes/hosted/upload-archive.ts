import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, type Stats } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import { type Pack, pack } from "tar-stream";
import { inTurn } from "../in-turn.ts";
import { contentOf, packDirectory } from "../pack-directory.ts";

/** A directory of this machine, or a program, and its name inside. */
export interface UploadPart {
  readonly name: string;
  readonly from: string;
  /** Names right in the directory that are left out. */
  readonly without?: readonly string[] | undefined;
}

const prefix = "upload-";
/** Others may be in use by another process; they are small beside what is uploaded. */
const keptArchives = 3;
const programMode = 0o755;

/** A tar of these parts, gzipped; packed once for all sandboxes with the same contents, and kept in the directory. */
export async function uploadArchive(parts: readonly UploadPart[], directory: string): Promise<Uint8Array> {
  const contents = await Promise.all(parts.map(async (part) => [part.name, await fingerprint(part)]));
  const hash = createHash("sha256").update(JSON.stringify(contents)).digest("hex").slice(0, 16);
  const path = join(directory, `${prefix}${hash}.tar.gz`);
  return inTurn(path, async () => {
    const found = await readFile(path).catch(() => undefined);
    if (found) return found;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const unfinished = `${path}.${process.pid}`;
    try {
      await writeArchive(parts, unfinished);
      await rename(unfinished, path);
    } finally {
      await rm(unfinished, { force: true });
    }
    await removeOld(directory);
    return readFile(path);
  });
}

/** Names, sizes and times of what is in it. */
async function fingerprint({ from, without }: UploadPart): Promise<string> {
  const stats = await stat(from);
  return stats.isDirectory() ? contentOf(from, { without }) : `${stats.size} ${stats.mtimeMs}`;
}

async function writeArchive(parts: readonly UploadPart[], path: string): Promise<void> {
  const archive = pack();
  const filled = fill(archive, parts).then(
    () => archive.finalize(),
    (error: Error) => archive.destroy(error),
  );
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  await pipeline(archive, gzip, createWriteStream(path, { mode: 0o600 }));
  await filled;
}

async function fill(archive: Pack, parts: readonly UploadPart[]): Promise<void> {
  for (const { name, from, without } of parts) {
    const stats = await stat(from);
    if (stats.isDirectory()) {
      archive.entry({ name, type: "directory", mode: programMode });
      await packDirectory(archive, from, { below: name, without });
    } else {
      await pipeline(createReadStream(from), archive.entry({ name, mode: programMode, size: stats.size }));
    }
  }
}

async function removeOld(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(prefix) && name.endsWith(".gz"));
  const found = await Promise.all(
    names.map(async (name) => ({ name, stats: await statIfThere(join(directory, name)) })),
  );
  const old = found.toSorted((a, b) => (b.stats?.mtimeMs ?? 0) - (a.stats?.mtimeMs ?? 0)).slice(keptArchives);
  for (const { name } of old) await rm(join(directory, name), { force: true });
}

const statIfThere = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);
