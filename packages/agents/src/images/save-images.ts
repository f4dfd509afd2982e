import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ImageFile } from "./image-file.ts";

/** They are on disk before the events that name them; images are rare, and small. */
export function saveImages(images: readonly ImageFile[]): void {
  for (const { path, base64 } of images) {
    if (existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, base64, "base64");
  }
}
