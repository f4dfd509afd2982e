import { ByteReader } from "./byte-reader.ts";

const block = 512;
/** A long name, or the extended headers of one entry. */
const maxMetaBytes = 64 * 1024;

/** The archive is no tar, or was cut off. Its message says which, as the end of a sentence. */
export class TarFault extends Error {
  override readonly name = "TarFault";
}

export interface TarEntry {
  readonly name: Buffer;
  readonly kind: "file" | "directory" | "symlink" | "other";
  /** For people, where it is another kind. */
  readonly kindText: string;
  readonly mode: number;
  readonly size: number;
  /** Epoch milliseconds. */
  readonly mtime: number;
  readonly target: Buffer;
}

export interface ReadEntry {
  readonly entry: TarEntry;
  /** The content, whole; for those who know that its size is bearable. */
  bytes(): Promise<Buffer>;
  /** The content as it comes. */
  stream(): AsyncGenerator<Buffer, void, undefined>;
}

/**
 * The entries of a tar archive (ustar, GNU, POSIX extended headers) as its bytes come. The content of an entry can be read
 * until the next one is asked for; what is not read is passed over. Holds a chunk, whatever the archive says of itself.
 */
export async function* readTar(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<ReadEntry, void, undefined> {
  const reader = new ByteReader(source);
  let overrides: Overrides = {};
  try {
    for (;;) {
      const bytes = await reader.exactly(block);
      if (bytes.length < block) throw new TarFault("it was cut off, or has no end mark");
      if (isZero(bytes)) return await expectEnd(reader);
      const { type, size } = checkedHeader(bytes);
      if (type in metaTypes) {
        overrides = { ...overrides, ...(await readMeta(reader, type, size)) };
        continue;
      }
      const entry = entryOf(bytes, type, { size, ...overrides });
      overrides = {};
      const content = new Content(reader, entry.size);
      yield { entry, bytes: () => content.bytes(), stream: () => content.stream() };
      await content.pass();
    }
  } finally {
    await reader.close();
  }
}

class Content {
  readonly #reader: ByteReader;
  readonly #padding: number;
  #left: number;

  constructor(reader: ByteReader, size: number) {
    this.#reader = reader;
    this.#left = size;
    this.#padding = (block - (size % block)) % block;
  }

  async bytes(): Promise<Buffer> {
    const wanted = this.#left;
    this.#left = 0;
    const bytes = await this.#reader.exactly(wanted);
    if (bytes.length < wanted) throw cutOff();
    return bytes;
  }

  async *stream(): AsyncGenerator<Buffer, void, undefined> {
    while (this.#left > 0) {
      const part = await this.#reader.some(this.#left);
      if (part.length === 0) throw cutOff();
      this.#left -= part.length;
      yield part;
    }
  }

  async pass(): Promise<void> {
    const rest = this.#left + this.#padding;
    if (this.#reader.now(rest) === undefined && !(await this.#reader.skip(rest))) throw cutOff();
  }
}

const metaTypes: Readonly<Record<string, true>> = { L: true, K: true, x: true, g: true };

interface Overrides {
  readonly name?: Buffer;
  readonly target?: Buffer;
  readonly size?: number;
  readonly mtime?: number;
}

async function readMeta(reader: ByteReader, type: string, size: number): Promise<Overrides> {
  if (size > maxMetaBytes) throw new TarFault(`the header of an entry is longer than ${maxMetaBytes} bytes`);
  const content = new Content(reader, size);
  const bytes = await content.bytes();
  await content.pass();
  if (type === "L") return { name: untilZero(bytes) };
  if (type === "K") return { target: untilZero(bytes) };
  return type === "x" ? extended(bytes) : {};
}

/** Records of the form `27 mtime=1350244992.023960108\n`. */
function extended(bytes: Buffer): Overrides {
  const found: { -readonly [Key in keyof Overrides]: Overrides[Key] } = {};
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(" ", at);
    const length = Number(bytes.toString("latin1", at, space));
    const equals = bytes.indexOf("=", space);
    if (space < 0 || equals < 0 || !(length > 0) || at + length > bytes.length) throw notTar();
    const key = bytes.toString("latin1", space + 1, equals);
    const value = bytes.subarray(equals + 1, at + length - 1);
    if (key === "path") found.name = value;
    if (key === "linkpath") found.target = value;
    if (key === "size") found.size = sizeOf(Number(value.toString("latin1")));
    if (key === "mtime") found.mtime = Number(value.toString("latin1")) * 1000 || 0;
    at += length;
  }
  return found;
}

function checkedHeader(bytes: Buffer): { type: string; size: number } {
  let sum = 8 * 32;
  for (let at = 0; at < block; at += 1) if (at < 148 || at >= 156) sum += bytes[at]!;
  if (number(bytes, 148, 8) !== sum) throw notTar();
  return { type: String.fromCharCode(bytes[156]!), size: sizeOf(number(bytes, 124, 12)) };
}

const kinds: Readonly<Record<string, TarEntry["kind"]>> = {
  "0": "file",
  "\0": "file",
  "7": "file",
  "5": "directory",
  "2": "symlink",
};

const otherKinds: Readonly<Record<string, string>> = {
  "1": "link",
  "3": "character-device",
  "4": "block-device",
  "6": "fifo",
};

function entryOf(bytes: Buffer, type: string, overrides: Overrides & { size: number }): TarEntry {
  const kind = kinds[type] ?? "other";
  const name = overrides.name ?? headerName(bytes);
  return {
    name,
    // Archives from before ustar mark a directory by nothing but the slash at the end of its name.
    kind: kind === "file" && name.at(-1) === 0x2f ? "directory" : kind,
    kindText: kind === "other" ? (otherKinds[type] ?? "thing of unknown kind") : kind,
    mode: number(bytes, 100, 8) & 0o7777,
    size: kind === "file" || kind === "other" ? overrides.size : 0,
    mtime: overrides.mtime ?? number(bytes, 136, 12) * 1000,
    target: overrides.target ?? untilZero(bytes.subarray(157, 257)),
  };
}

/** POSIX has a prefix where GNU has other things. */
function headerName(bytes: Buffer): Buffer {
  const name = Buffer.from(untilZero(bytes.subarray(0, 100)));
  const isPosix = bytes.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? untilZero(bytes.subarray(345, 500)) : Buffer.alloc(0);
  return prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from("/"), name]);
}

/** Octal text, or a large number in binary with the highest bit set. */
function number(bytes: Buffer, at: number, length: number): number {
  if (bytes[at]! & 0x80) {
    let value = bytes[at]! & 0x7f;
    for (let next = at + 1; next < at + length; next += 1) value = value * 256 + bytes[next]!;
    return value;
  }
  const text = bytes
    .toString("latin1", at, at + length)
    .replace(/\0.*$/s, "")
    .trim();
  if (!/^[0-7]*$/.test(text)) throw notTar();
  return Number.parseInt(text || "0", 8);
}

function sizeOf(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw notTar();
  return value;
}

function untilZero(bytes: Buffer): Buffer {
  const zero = bytes.indexOf(0);
  return Buffer.from(zero < 0 ? bytes : bytes.subarray(0, zero));
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

/** One zero block may be the first of two; what comes behind the end is read and passed over, so that the sender can end. */
async function expectEnd(reader: ByteReader): Promise<void> {
  const second = await reader.exactly(block);
  if (second.length < block || !isZero(second)) throw new TarFault("it was cut off, or has no end mark");
  while ((await reader.some(Number.MAX_SAFE_INTEGER)).length > 0);
}

function cutOff(): TarFault {
  return new TarFault("it was cut off");
}

function notTar(): TarFault {
  return new TarFault("this is not a tar archive");
}
