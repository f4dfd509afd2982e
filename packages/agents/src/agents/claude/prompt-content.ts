import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { type MessageAttachment, SandboxError } from "@sandbox-agent/protocol";
import type { PromptInput } from "../../agent.ts";

/** The kinds of images the model takes. */
const imageMimes: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};
const takenMimes = new Set(Object.values(imageMimes));

/** The message with its attachments: images go along as they are, other files are named for the agent to read. */
export async function promptContent(input: PromptInput, directory: string): Promise<string | object[]> {
  if (input.attachments.length === 0) return input.message;
  const files = input.attachments.map((attachment) => ({ ...attachment, path: resolve(directory, attachment.path) }));
  const images = await Promise.all(files.filter((file) => imageMime(file) !== undefined).map(imageBlock));
  const others = files.filter((file) => imageMime(file) === undefined).map(nameOf);
  const list = others.length === 0 ? [] : [{ type: "text", text: `Attached files:\n${others.join("\n")}` }];
  const message = input.message === "" ? [] : [{ type: "text", text: input.message }];
  return [...images, ...list, ...message];
}

function imageMime({ path, mime }: MessageAttachment): string | undefined {
  if (mime) return takenMimes.has(mime) ? mime : undefined;
  return imageMimes[extname(path).toLowerCase()];
}

async function imageBlock(file: MessageAttachment): Promise<object> {
  const data = await readFile(file.path, "base64").catch((cause: unknown) => {
    throw new SandboxError("invalid_request", `The attachment ${file.path} cannot be read. Check its path.`, { cause });
  });
  return { type: "image", source: { type: "base64", media_type: imageMime(file), data } };
}

function nameOf({ path, filename, mime }: MessageAttachment): string {
  const about = [filename, mime].filter((word) => word).join(", ");
  return `- ${path}${about === "" ? "" : ` (${about})`}`;
}
