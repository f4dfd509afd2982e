import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";
import { type Header, pack } from "tar-stream";

interface ArchiveEntry extends Partial<Header> {
  readonly name: string;
  readonly content?: string | Uint8Array;
}

/** The files of a package by their path in it; an entry can also be anything else that a tar may hold. */
export type PackageFiles = Readonly<Record<string, string>> | readonly ArchiveEntry[];

/** The archive that a registry hands out, with every file executable. */
export function packageArchive(files: PackageFiles): Promise<Buffer> {
  const archive = pack();
  for (const { content = "", ...header } of entriesOf(files))
    archive.entry({ mode: 0o755, ...header }, Buffer.from(content));
  archive.finalize();
  return buffer(archive.pipe(createGzip()));
}

function entriesOf(files: PackageFiles): readonly ArchiveEntry[] {
  if (isList(files)) return files;
  return Object.entries(files).map(([path, content]) => ({ name: `package/${path}`, content }));
}

function isList(files: PackageFiles): files is readonly ArchiveEntry[] {
  return Array.isArray(files);
}
