import type { ContentPart } from "@sandbox-agent-ts/protocol";
import { imageFile } from "../../../images/image-file.ts";
import type { Conversion } from "./conversion.ts";
import { isRecord, record } from "./json.ts";

type Image = Extract<ContentPart, { type: "image" }>;

/** An image that was read lies where it was read from; those of an MCP server are kept. */
export function imageParts(to: Conversion, callId: string, value: unknown): Image[] {
  if (Array.isArray(value)) return value.filter(isRecord).flatMap((part, index) => kept(to, callId, index, part));
  const { isImage, absolutePath, imageInfo } = record(value);
  if (isImage !== true || typeof absolutePath !== "string") return [];
  return [imageAt(absolutePath, record(imageInfo).mimeType)];
}

function kept(to: Conversion, callId: string, index: number, part: Record<string, unknown>): Image[] {
  const { type, data, mimeType } = part;
  if (type !== "image" || typeof data !== "string") return [];
  const mime = typeof mimeType === "string" ? mimeType : undefined;
  const image = imageFile(to.start.imagesDir, `${callId}-${index}`, data, mime);
  to.images.push(image);
  return [imageAt(image.path, mime)];
}

function imageAt(path: string, mime: unknown): Image {
  return { type: "image", path, ...(typeof mime === "string" ? { mime } : {}) };
}
