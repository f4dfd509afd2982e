import { stat } from "node:fs/promises";
import { type FileAttachment, SandboxError } from "@sandbox-agent-ts/protocol";

import { readRegularFile } from "../files/read-regular-file.ts";

/** More than any model takes as one image, and little enough to hold. */
const maxBytes = 32 * 1024 * 1024;

/** Throws where it cannot go along with a message: it is not there, no file, or larger than any model takes. */
export async function checkAttachment({ path }: FileAttachment): Promise<void> {
  const found = await stat(path).catch((cause: unknown) => unreadable(path, cause));
  if (!found.isFile()) refuse(`The attachment ${path} is not a file. Check its path.`);
  if (found.size > maxBytes) {
    refuse(`The attachment ${path} has ${found.size} bytes; an image may have ${maxBytes}. Attach a smaller one.`);
  }
}

/** In base64, as images go along with a message. */
export async function readAttachment(file: FileAttachment): Promise<string> {
  const { path } = file;
  await checkAttachment(file);
  return readRegularFile(path, maxBytes).then(
    (bytes) => bytes.toString("base64"),
    (cause: unknown) => unreadable(path, cause),
  );
}

function unreadable(path: string, cause: unknown): never {
  refuse(`The attachment ${path} cannot be read. Check its path.`, cause);
}

function refuse(sentence: string, cause?: unknown): never {
  throw new SandboxError("invalid_request", sentence, { cause });
}
