import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ImageFile } from "./convert/tool-view.ts";

/** They are on disk before the events that name them; images are rare, and small. */
export function saveImages(images: readonly ImageFile[]): void {
  for (const { path, base64 } of images) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, base64, "base64");
  }
}
