export { type ReadEntry, readTar, type TarEntry, TarFault } from "./read-tar.ts";
export { type PackedEntry, tarEnd, tarHeader, tarPadding } from "./tar-header.ts";
