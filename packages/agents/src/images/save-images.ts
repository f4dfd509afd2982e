import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ImageFile } from "./image-file.ts";

/** They are on disk before the events that name them, and never half of one; images are rare, and small. */
export function saveImages(images: readonly ImageFile[]): void {
  for (const { path, base64 } of images) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.partial`, base64, { encoding: "base64", mode: 0o600 });
    renameSync(`${path}.partial`, path);
  }
}
