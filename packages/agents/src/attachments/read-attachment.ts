import { readFile, stat } from "node:fs/promises";
import { type MessageAttachment, SandboxError } from "@sandbox-agent/protocol";

/** More than any model takes as one image, and little enough to hold. */
const maxBytes = 32 * 1024 * 1024;

/** In base64, as images go along with a message. */
export async function readAttachment({ path }: MessageAttachment): Promise<string> {
  const { size } = await stat(path).catch((cause: unknown) => unreadable(path, cause));
  if (size > maxBytes) {
    const sentence = `The attachment ${path} has ${size} bytes; an image may have ${maxBytes}. Attach a smaller one.`;
    throw new SandboxError("invalid_request", sentence);
  }
  return readFile(path, "base64").catch((cause: unknown) => unreadable(path, cause));
}

function unreadable(path: string, cause: unknown): never {
  throw new SandboxError("invalid_request", `The attachment ${path} cannot be read. Check its path.`, { cause });
}
