import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import type { ArchiveEntry, OnArchiveBytes } from "./archive-entries.ts";

const endSignature = 0x06054b50;
const listedSignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const listedBytes = 46;
const localBytes = 30;
/** The end has room for a comment. */
const maxEndBytes = endBytes + 0xffff;
/** No program has so many files that their list is larger. */
const maxListBytes = 64 * 1024 * 1024;
/** Stands for a number in the larger form of the format, which no program needs. */
const inLargerForm = 0xffffffff;
const isEncrypted = 1;
const unix = 3;

/** `S_IFMT` and what it tells of a name made on Unix. */
const fileTypes = new Map([
  [0o120000, "symlink"],
  [0o040000, "directory"],
  [0o100000, "file"],
]);

interface ListedEntry {
  readonly name: string;
  readonly mode: number;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly offset: number;
}

/** The entries of a zip, as its list at the end has them; nothing of what is between them counts. */
export async function* zipEntries(archive: string, onBytes: OnArchiveBytes): AsyncGenerator<ArchiveEntry> {
  const file = await open(archive, "r");
  try {
    for (const listed of await readList(file)) {
      const start = await contentStart(file, listed);
      const { name, mode, size } = listed;
      yield { name, type: typeOf(listed), mode, size, content: contentOf(archive, listed, start) };
      onBytes(start + listed.compressedSize);
    }
  } finally {
    await file.close();
  }
}

async function readList(file: FileHandle): Promise<ListedEntry[]> {
  const { size } = await file.stat();
  const tail = await readExactly(file, Math.max(0, size - maxEndBytes), Math.min(size, maxEndBytes));
  let at = tail.length - endBytes;
  while (at >= 0 && tail.readUInt32LE(at) !== endSignature) at--;
  if (at < 0) throw new Error("it is no zip, or its end is missing");
  const [count, bytes, offset] = [tail.readUInt16LE(at + 10), tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (bytes > maxListBytes || offset === inLargerForm) throw new Error("it is a zip of a kind that is not read here");
  const list = await readExactly(file, offset, bytes);
  const entries: ListedEntry[] = [];
  for (let place = 0; entries.length < count; ) {
    if (place + listedBytes > list.length || list.readUInt32LE(place) !== listedSignature) throw damaged();
    const nameEnd = place + listedBytes + list.readUInt16LE(place + 28);
    entries.push({
      name: list.toString("utf8", place + listedBytes, nameEnd),
      mode: list[place + 5] === unix ? list.readUInt32LE(place + 38) >>> 16 : 0,
      method: list.readUInt16LE(place + 8) & isEncrypted ? -1 : list.readUInt16LE(place + 10),
      crc: list.readUInt32LE(place + 16),
      compressedSize: list.readUInt32LE(place + 20),
      size: list.readUInt32LE(place + 24),
      offset: list.readUInt32LE(place + 42),
    });
    place = nameEnd + list.readUInt16LE(place + 30) + list.readUInt16LE(place + 32);
  }
  return entries;
}

/** Where the bytes of an entry begin: behind its own header, whose length the list does not tell. */
async function contentStart(file: FileHandle, { offset }: ListedEntry): Promise<number> {
  const header = await readExactly(file, offset, localBytes);
  if (header.readUInt32LE(0) !== localSignature) throw damaged();
  return offset + localBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/** No more than the list announced, however much would come out. */
async function* contentOf(
  archive: string,
  { name, method, crc, compressedSize, size }: ListedEntry,
  start: number,
): AsyncGenerator<Uint8Array> {
  if (method !== 0 && method !== 8) throw new Error(`${JSON.stringify(name)} is packed in a way that is not read here`);
  let bytes = 0;
  let sum = 0;
  if (compressedSize > 0) {
    const stored = createReadStream(archive, { start, end: start + compressedSize - 1 });
    // Its errors come out of the last stream, which is read.
    const plain = method === 0 ? stored : pipeline(stored, createInflateRaw(), () => undefined);
    for await (const piece of plain as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > size) throw damaged();
      sum = crc32(piece, sum);
      yield piece;
    }
  }
  if (bytes !== size || sum !== crc) throw damaged();
}

function typeOf({ name, mode }: ListedEntry): string {
  const kind = mode & 0o170000;
  if (kind === 0) return name.endsWith("/") ? "directory" : "file";
  return fileTypes.get(kind) ?? "thing of unknown kind";
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead !== length) throw damaged();
  return buffer;
}

const damaged = () => new Error("the zip is damaged");
