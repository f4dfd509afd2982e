import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ImageFile } from "./image-file.ts";

/** They are on disk before the events that name them, and never half of one; images are rare, and small. */
export function saveImages(images: readonly ImageFile[]): void {
  for (const { path, base64 } of images) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.partial`, base64, "base64");
    renameSync(`${path}.partial`, path);
  }
}
