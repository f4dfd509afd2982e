import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import type { FileAttachment } from "@sandbox-agent-ts/protocol";
import type { PromptInput } from "../../agent.ts";
import { type AttachedFile, attachedFiles } from "../../attachments/attached-files.ts";
import { withFileList } from "../../attachments/file-list.ts";
import { checkAttachment } from "../../attachments/read-attachment.ts";

const pdf = "application/pdf";
const textual = /^text\/|[/+](json|xml|yaml|toml|javascript|typescript|x-sh)$/;

/** At an image that it cannot read OpenCode fails with the places in its code, so that is found out before. */
export async function checkImages(input: PromptInput, directory: string): Promise<void> {
  const images = attachedFiles(input, directory).filter(({ imageMime }) => imageMime !== undefined);
  await Promise.all(images.map(checkAttachment));
}

/** A message as the server takes it: images and texts go to the model, of other files it is told where they are. */
export function promptParts(input: PromptInput, directory: string): object[] {
  const files = attachedFiles(input, directory);
  const sent = files.flatMap((file) => {
    const mime = mimeOf(file);
    return mime === undefined ? [] : [{ type: "file", mime, filename: file.filename ?? file.path, url: urlOf(file) }];
  });
  const named = files.filter((file) => mimeOf(file) === undefined);
  return [{ type: "text", text: withFileList(input.message, named) }, ...sent];
}

/** What OpenCode reads for the model, with the only mime it takes for a text; nothing else. */
function mimeOf({ mime, path, imageMime }: AttachedFile): string | undefined {
  if (imageMime !== undefined) return imageMime;
  const kind = mime || (extname(path).toLowerCase() === ".pdf" ? pdf : "text/plain");
  if (kind === pdf) return kind;
  return textual.test(kind) ? "text/plain" : undefined;
}

function urlOf({ path }: FileAttachment): string {
  return pathToFileURL(path).href;
}
