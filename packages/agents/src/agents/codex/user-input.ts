import { basename } from "node:path";
import type { PromptInput } from "../../agent.ts";
import { attachedFiles } from "../../attachments/attached-files.ts";
import { withFileList } from "../../attachments/file-list.ts";
import { checkAttachment } from "../../attachments/read-attachment.ts";

/**
 * A message as the server takes it: images go to the model, of other files it is told where they are. Codex leaves out an
 * image that it cannot read, so that is found out before.
 */
export async function userInput(input: PromptInput, directory: string): Promise<object[]> {
  const attached = attachedFiles(input, directory);
  const images = attached.filter(({ imageMime }) => imageMime !== undefined);
  const files = attached.filter(({ imageMime }) => imageMime === undefined);
  await Promise.all(images.map(checkAttachment));
  return [
    { type: "text", text: withFileList(input.message, files) },
    ...images.map(({ path }) => ({ type: "localImage", path })),
    ...files.map(({ path, filename }) => ({ type: "mention", name: filename ?? basename(path), path })),
  ];
}
