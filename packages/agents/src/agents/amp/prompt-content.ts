import type { PromptInput } from "../../agent.ts";
import { type AttachedFile, attachedFiles } from "../../attachments/attached-files.ts";
import { withFileList } from "../../attachments/file-list.ts";
import { readAttachment } from "../../attachments/read-attachment.ts";

type TextBlock = { readonly type: "text"; readonly text: string };
export type PromptBlock = TextBlock | { readonly type: "image"; readonly source: object; readonly source_path: string };

/** The message as one line of `--stream-json-input`: images go along, other files are named for Amp to read. */
export async function promptContent(
  input: PromptInput,
  { directory, instructions, takesImages }: { directory: string; instructions?: string; takesImages: boolean },
): Promise<PromptBlock[]> {
  const files = attachedFiles(input, directory);
  const isImage = ({ imageMime }: AttachedFile): boolean => takesImages && imageMime !== undefined;
  const said = withFileList(
    input.message,
    files.filter((file) => !isImage(file)),
  );
  return [
    ...(instructions ? [text(`<instructions>\n${instructions}\n</instructions>`)] : []),
    ...(said === "" ? [] : [text(said)]),
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

async function imageBlock(file: AttachedFile): Promise<PromptBlock> {
  const source = { type: "base64", media_type: file.imageMime, data: await readAttachment(file) };
  return { type: "image", source, source_path: file.path };
}
