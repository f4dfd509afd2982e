const block = 512;
const maxName = 100;
/** What eleven octal digits can say. */
const maxSize = 8 ** 11 - 1;

export interface PackedEntry {
  /** Relative, with `/` between its parts. A name is bytes: it need not be UTF-8. */
  readonly name: Buffer;
  readonly kind: "file" | "directory" | "symlink";
  readonly mode: number;
  readonly size: number;
  /** Epoch milliseconds. */
  readonly mtime: number;
  /** What a symlink says. */
  readonly target?: Buffer | undefined;
}

const types = { file: "0", symlink: "2", directory: "5" } as const;

/**
 * The header of an entry, as GNU tar writes it; the content follows, then `tarPadding`. A long name is an entry of its own
 * in front, which keeps its bytes as they are, where the headers of POSIX are UTF-8 only.
 */
export function tarHeader({ name, kind, mode, size, mtime, target }: PackedEntry): Buffer {
  if (size > maxSize) throw new RangeError(`A file of ${size} bytes is too large for a tar archive.`);
  const whole = kind === "directory" ? Buffer.concat([name, Buffer.from("/")]) : name;
  const seconds = Math.min(Math.max(0, Math.floor(mtime / 1000)), maxSize);
  return Buffer.concat([
    ...(target && target.length > maxName ? longText("K", target) : []),
    ...(whole.length > maxName ? longText("L", whole) : []),
    header(whole, types[kind], { mode, size: kind === "file" ? size : 0, seconds, target }),
  ]);
}

/** What fills the last block of a content. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((block - (size % block)) % block);
}

export function tarEnd(): Buffer {
  return Buffer.alloc(2 * block);
}

function longText(type: string, text: Buffer): Buffer[] {
  const size = text.length + 1;
  const name = Buffer.from("././@LongLink");
  return [
    header(name, type, { mode: 0, size, seconds: 0, target: undefined }),
    text,
    Buffer.alloc(1),
    tarPadding(size),
  ];
}

interface Fields {
  readonly mode: number;
  readonly size: number;
  readonly seconds: number;
  readonly target: Buffer | undefined;
}

function header(name: Buffer, type: string, { mode, size, seconds, target }: Fields): Buffer {
  const bytes = Buffer.alloc(block);
  name.copy(bytes, 0, 0, maxName);
  bytes.write(octal(mode, 7), 100, "latin1");
  bytes.write(octal(0, 7), 108, "latin1");
  bytes.write(octal(0, 7), 116, "latin1");
  bytes.write(octal(size, 11), 124, "latin1");
  bytes.write(octal(seconds, 11), 136, "latin1");
  bytes.write(type, 156, "latin1");
  target?.copy(bytes, 157, 0, maxName);
  bytes.write("ustar  ", 257, "latin1");
  bytes.fill(" ", 148, 156);
  let sum = 0;
  for (const byte of bytes) sum += byte;
  bytes.write(`${octal(sum, 6)}\0 `, 148, "latin1");
  return bytes;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}
