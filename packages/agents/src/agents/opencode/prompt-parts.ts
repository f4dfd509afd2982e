import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { MessageAttachment } from "@sandbox-agent/protocol";
import type { PromptInput } from "../../agent.ts";

const imageMimes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
};
const wholeMimes = new Set(Object.values(imageMimes));
const textual = /^text\/|[/+](json|xml|yaml|toml|javascript|typescript|x-sh)$/;

/** A message as the server takes it: images and texts go to the model, of other files it is told where they are. */
export function promptParts({ message, attachments }: PromptInput, directory: string): object[] {
  const files = attachments.map((attachment) => ({ ...attachment, path: resolve(directory, attachment.path) }));
  const sent = files.flatMap((file) => {
    const mime = mimeOf(file);
    return mime === undefined ? [] : [{ type: "file", mime, filename: file.filename ?? file.path, url: urlOf(file) }];
  });
  const named = files.filter((file) => mimeOf(file) === undefined).map(({ path }) => `- ${path}`);
  const text = named.length === 0 ? message : `${message}\n\nAttached files:\n${named.join("\n")}`;
  return [{ type: "text", text }, ...sent];
}

/** What OpenCode reads for the model, with the only mime it takes for a text; nothing else. */
function mimeOf({ mime, path }: MessageAttachment): string | undefined {
  const kind = mime ?? imageMimes[extname(path).toLowerCase()] ?? "text/plain";
  if (wholeMimes.has(kind)) return kind;
  return textual.test(kind) ? "text/plain" : undefined;
}

function urlOf({ path }: MessageAttachment): string {
  return pathToFileURL(path).href;
}
