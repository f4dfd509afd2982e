import { isUtf8 } from "node:buffer";

/** A name as the disk has it: text, or bytes where they are not UTF-8. */
export type FileName = string | Buffer;

export function fileName(bytes: Buffer): FileName {
  return isUtf8(bytes) ? bytes.toString("utf8") : bytes;
}

/** How a path is written on the wire; `Buffer` where a part of it is no UTF-8. */
export function written(path: FileName): { path: string; pathBytes?: string } {
  if (typeof path === "string") return { path };
  return { path: path.toString("utf8"), pathBytes: path.toString("base64") };
}

export function joined(directory: FileName, name: FileName): FileName {
  if (directory.length === 0) return name;
  if (typeof directory === "string" && typeof name === "string") return `${directory}/${name}`;
  return Buffer.concat([Buffer.from(directory), Buffer.from("/"), Buffer.from(name)]);
}

/** The same for the same name, and for no other. */
export function keyOf(name: FileName): string {
  return typeof name === "string" ? name : `\0${name.toString("base64")}`;
}

const slash = 0x2f;

/** The names in a relative path; undefined where it could lead anywhere else than down. */
export function partsOf(path: Buffer): FileName[] | undefined {
  if (path[0] === slash || path.includes(0)) return undefined;
  const parts: FileName[] = [];
  for (let start = 0; start <= path.length; ) {
    const end = path.indexOf(slash, start);
    const part = path.subarray(start, end < 0 ? path.length : end);
    const name = fileName(part);
    if (name === "..") return undefined;
    if (name !== "" && name !== ".") parts.push(name);
    if (end < 0) break;
    start = end + 1;
  }
  return parts;
}
