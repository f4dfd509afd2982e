import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { FileAttachment } from "@sandbox-agent-ts/protocol";

/** Why the first file that cannot go along with a message cannot, as a sentence. No agent says so of all of them. */
export async function whyNotAttached(files: readonly FileAttachment[], directory: string): Promise<string | undefined> {
  for (const file of files) {
    const path = resolve(directory, file.path);
    const found = await stat(path).catch(() => undefined);
    if (!found || !(await isReadable(path))) return `The attachment ${path} cannot be read. Check its path.`;
    if (!found.isFile() && !found.isDirectory()) return `The attachment ${path} is not a file. Check its path.`;
  }
  return undefined;
}

function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}
