import { resolve } from "node:path";
import type { FileAttachment } from "@sandbox-agent-ts/protocol";
import type { PromptInput } from "../agent.ts";
import { imageMime } from "../images/image-mime.ts";

/** An attachment by where it lies. */
export interface AttachedFile extends FileAttachment {
  /** Where it is an image that models take. */
  readonly imageMime: string | undefined;
}

const takenByModels = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** What a person says of a file is believed, and else its name. */
export function attachedFiles({ attachments }: PromptInput, directory: string): AttachedFile[] {
  return attachments.map((attachment) => {
    const mime = attachment.mime === "image/jpg" ? "image/jpeg" : attachment.mime || imageMime(attachment.path);
    const taken = mime !== undefined && takenByModels.has(mime);
    return { ...attachment, path: resolve(directory, attachment.path), imageMime: taken ? mime : undefined };
  });
}
