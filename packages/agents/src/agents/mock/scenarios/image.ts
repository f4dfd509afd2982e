import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Scenario } from "../scenario.ts";

/** A 16 × 16 chequered board. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAABlBMVEUfb+v2+Pp9v1DxAAAAE0lEQVR42mPg52eAow8fEAiHOAAqXw/xPczXZQAAAABJRU5ErkJggg==",
  "base64",
);

/** A picture, really on disk, in the agent's own directory. */
export const image: Scenario = async (stage) => {
  const path = join(stage.session.dataDir, "board.png");
  await writeWhole(path, png);
  stage.signal.throwIfAborted();
  stage.show({ kind: "message", role: "assistant", content: [{ type: "image", path, mime: "image/png" }] });
  return undefined;
};

/** Sessions share the file, and no reader may see half of it. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, bytes);
  await rename(draft, path);
}
