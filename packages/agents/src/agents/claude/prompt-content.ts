import type { PromptInput } from "../../agent.ts";
import { type AttachedFile, attachedFiles } from "../../attachments/attached-files.ts";
import { fileList } from "../../attachments/file-list.ts";
import { readAttachment } from "../../attachments/read-attachment.ts";

/** The message with its attachments: images go along as they are, other files are named for the agent to read. */
export async function promptContent(input: PromptInput, directory: string): Promise<string | object[]> {
  if (input.attachments.length === 0) return input.message;
  const files = attachedFiles(input, directory);
  const images = await Promise.all(files.filter(({ imageMime }) => imageMime !== undefined).map(imageBlock));
  const list = fileList(files.filter(({ imageMime }) => imageMime === undefined));
  const texts = [list, input.message].filter((text) => text !== "");
  return [...images, ...texts.map((text) => ({ type: "text", text }))];
}

async function imageBlock(file: AttachedFile): Promise<object> {
  return { type: "image", source: { type: "base64", media_type: file.imageMime, data: await readAttachment(file) } };
}
