const maxPathBytes = 4096;

/** The bytes of an entry's path: what paths are ordered and kept by. */
export function pathBytesOf({
  path,
  pathBytes,
}: {
  readonly path: string;
  readonly pathBytes?: string | undefined;
}): Buffer {
  return pathBytes === undefined ? Buffer.from(path) : Buffer.from(pathBytes, "base64");
}

/** The same for the same path, and for no other. */
export function pathKey(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** Whether it leads to something below where it begins, and nowhere else. */
export function isPathBelow(bytes: Buffer): boolean {
  const parts = bytes.toString("latin1").split("/");
  const areNames = parts.every((part) => part !== "" && part !== "." && part !== ".." && !part.includes("\0"));
  return areNames && bytes.length <= maxPathBytes;
}
