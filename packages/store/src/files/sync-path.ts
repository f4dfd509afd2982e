import { closeSync, fsync, openSync } from "node:fs";
import { promisify } from "node:util";

const fsyncAsync = promisify(fsync);

/** Make a file, or the names in a directory, durable. */
export async function syncPath(path: string): Promise<void> {
  const descriptor = openSync(path, "r");
  await fsyncAsync(descriptor).finally(() => closeSync(descriptor));
}
