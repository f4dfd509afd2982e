import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { type MessageAttachment, SandboxError } from "@sandbox-agent/protocol";
import type { PromptInput } from "../../agent.ts";

/** The kinds of images Amp takes. */
const imageMimes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};
const takenMimes = new Set(Object.values(imageMimes));

type TextBlock = { readonly type: "text"; readonly text: string };
export type PromptBlock = TextBlock | { readonly type: "image"; readonly source: object; readonly source_path: string };

/** The message as one line of `--stream-json-input`: images go along, other files are named for Amp to read. */
export async function promptContent(
  { message, attachments }: PromptInput,
  { directory, instructions, takesImages }: { directory: string; instructions?: string; takesImages: boolean },
): Promise<PromptBlock[]> {
  const files = attachments.map((attachment) => ({ ...attachment, path: resolve(directory, attachment.path) }));
  const isImage = (file: MessageAttachment): boolean => takesImages && imageMime(file) !== undefined;
  const named = files.filter((file) => !isImage(file)).map(nameOf);
  const list = named.length === 0 ? "" : `\n\nAttached files:\n${named.join("\n")}`;
  return [
    ...(instructions ? [text(`<instructions>\n${instructions}\n</instructions>`)] : []),
    ...(message === "" && list === "" ? [] : [text(`${message}${list}`.trim())]),
    ...(await Promise.all(files.filter(isImage).map(imageBlock))),
  ];
}

/** For programs that take the message only as an argument. */
export function plainText(content: readonly PromptBlock[]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
}

function text(words: string): TextBlock {
  return { type: "text", text: words };
}

function imageMime({ path, mime }: MessageAttachment): string | undefined {
  if (mime) return takenMimes.has(mime) ? mime : undefined;
  return imageMimes[extname(path).toLowerCase()];
}

async function imageBlock(file: MessageAttachment): Promise<PromptBlock> {
  const data = await readFile(file.path, "base64").catch((cause: unknown) => {
    throw new SandboxError("invalid_request", `The attachment ${file.path} cannot be read. Check its path.`, { cause });
  });
  const source = { type: "base64", media_type: imageMime(file), data };
  return { type: "image", source, source_path: file.path };
}

function nameOf({ path, filename, mime }: MessageAttachment): string {
  const about = [filename, mime].filter((word) => word).join(", ");
  return `- ${path}${about === "" ? "" : ` (${about})`}`;
}
