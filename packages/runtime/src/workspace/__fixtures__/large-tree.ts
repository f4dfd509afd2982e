import { createCipheriv } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const filesPerDirectory = 100;
const modes = [0o644, 0o600, 0o755, 0o444, 0o640, 0o777];
/** Not UTF-8. */
export const oddName = Buffer.from([0x63, 0x61, 0x66, 0xe9]);

/** A path whose last part are bytes. */
export const at = (directory: string, name: Buffer | string) =>
  Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name)]);

/** Bytes that are the same for the same number, and for no other. */
export function contentOf(number: number, size: number): Buffer {
  const iv = Buffer.alloc(16);
  iv.writeUInt32BE(number);
  return createCipheriv("aes-128-ctr", Buffer.alloc(16, 7), iv).update(Buffer.alloc(size));
}

const names = [
  "a\nb",
  "quotes \" ' ` $(x)",
  "-rf",
  "--",
  " around ",
  "back\\slash",
  "*?[x]",
  "#hash",
  "!mark",
  "...",
  "..x",
  "\x01\x7f\t\r",
  "@LongLink",
  "\u00fc composed",
  "u\u0308 decomposed",
  "\u202ereversed",
  "\ufeffmark",
  "👩‍👩‍👧",
  "x".repeat(255),
  "%2e%2e%2f",
];

/** What is rare and must come back all the same. */
function putOddThings(top: string, outside: string): void {
  const odd = join(top, "odd");
  for (const [index, name] of names.entries()) {
    put(join(odd, name), `odd ${index}`);
    put(join(odd, `directory ${name}`.slice(0, 255), name), contentOf(index, 300 * kibibyte));
  }
  writeFileSync(at(odd, oddName), "no UTF-8");
  writeFileSync(at(odd, Buffer.concat([oddName, Buffer.from("-large")])), contentOf(1_000_000, 2 * mebibyte));
  const oddDirectory = Buffer.concat([oddName, Buffer.from("-directory")]);
  mkdirSync(at(odd, oddDirectory));
  writeFileSync(at(odd, Buffer.concat([oddDirectory, Buffer.from("/inner")])), "in a directory whose name is no UTF-8");
  writeFileSync(at(odd, Buffer.concat([oddDirectory, Buffer.from("/large")])), contentOf(1_000_001, 400 * kibibyte));
  const deep = join(top, ...Array.from({ length: 100 }, (_, level) => `level-${level}-${"y".repeat(20)}`));
  put(join(deep, "small"), "deep");
  put(join(deep, "large"), contentOf(1_000_002, 500 * kibibyte));
  put(join(top, "run.sh"), "#!/bin/sh\n", 0o755);
  // Only root can read it.
  if (process.getuid?.() === 0) put(join(top, "no rights"), "for nobody", 0o000);
  put(join(top, "empty file"), "");
  put(join(top, "zeros"), Buffer.alloc(10 * kibibyte));
  put(join(top, "private", "key ring"), "mine", 0o400);
  linkSync(join(top, "run.sh"), join(top, "hard link"));
  mkdirSync(join(top, "empty", "in", "each other"), { recursive: true });
  put(join(top, "read only", "inside"), "x");
  const links = { inside: "run.sh", up: "../x", nowhere: "no such file", folder: "odd", outside, file: "/etc/passwd" };
  mkdirSync(join(top, "links"));
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(top, "links", name));
  symlinkSync("z".repeat(1_000), join(top, "links", "long target"));
  symlinkSync(oddName, join(top, "links", "target that is no UTF-8"));
  chmodSync(join(top, "private"), 0o700);
  chmodSync(join(top, "read only"), 0o555);
}

/** Fills a directory with so many files of so many bytes in all, and with whatever is odd. */
export function putLargeTree(top: string, size: { files: number; megabytes: number }, outside: string): void {
  putOddThings(top, outside);
  const bytes = size.megabytes * mebibyte;
  put(join(top, "large.bin"), contentOf(2_000_000, Math.floor(bytes / 10)));
  const average = Math.floor((bytes * 0.9) / size.files);
  for (let number = 0; number < size.files; number += 1) {
    const directory = `part ${Math.floor(number / filesPerDirectory)}`;
    // From nothing to twice the average; every fiftieth is like its neighbour.
    const like = number % 50 === 49 ? number - 1 : number;
    const length = Math.floor((average * 2 * (like % 97)) / 96);
    put(join(top, directory, `file ${number}`), contentOf(like, length), modes[number % modes.length]);
  }
}

function put(path: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}
