import { extname, resolve } from "node:path";
import type { MessageAttachment } from "@sandbox-agent/protocol";
import type { PromptInput } from "../../agent.ts";

const imageExtensions = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp"]);

/** A message as the server takes it: images go to the model, of other files it is told where they are. */
export function userInput({ message, attachments }: PromptInput, directory: string): object[] {
  const images = attachments.filter(isImage);
  const files = attachments.filter((attachment) => !isImage(attachment));
  const paths = files.map(({ path }) => `- ${resolve(directory, path)}`);
  const text = paths.length === 0 ? message : `${message}\n\nAttached files:\n${paths.join("\n")}`;
  return [
    { type: "text", text },
    ...images.map(({ path }) => ({ type: "localImage", path: resolve(directory, path) })),
    ...files.map(({ path, filename }) => ({
      type: "mention",
      name: filename ?? path,
      path: resolve(directory, path),
    })),
  ];
}

function isImage({ mime, path }: MessageAttachment): boolean {
  return mime
    ? mime.startsWith("image/") && mime !== "image/svg+xml"
    : imageExtensions.has(extname(path).toLowerCase());
}
