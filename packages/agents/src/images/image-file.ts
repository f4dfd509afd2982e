import { createHash } from "node:crypto";
import { join } from "node:path";

/** An image that came as data, to be put where the item says it is. */
export interface ImageFile {
  readonly path: string;
  readonly base64: string;
  readonly mime: string;
}

/** Named by what is in it, so that the same image is one file. */
export function imageFile(directory: string, base64: string, mime: string): ImageFile {
  const digest = createHash("sha256").update(base64).digest("hex").slice(0, 32);
  const extension = mime.replace(/^image\/|[^a-z0-9]/g, "") || "png";
  return { path: join(directory, `${digest}.${extension}`), base64, mime };
}
