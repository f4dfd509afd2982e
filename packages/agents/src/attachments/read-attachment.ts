import { readFile } from "node:fs/promises";
import { type MessageAttachment, SandboxError } from "@sandbox-agent/protocol";

/** In base64, as images go along with a message. */
export async function readAttachment({ path }: MessageAttachment): Promise<string> {
  return readFile(path, "base64").catch((cause: unknown) => {
    throw new SandboxError("invalid_request", `The attachment ${path} cannot be read. Check its path.`, { cause });
  });
}
