import type { ContentPart } from "@sandbox-agent/protocol";
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
  const extension =
    String(mimeType)
      .split("/")[1]
      ?.replaceAll(/[^a-z0-9]/g, "") ?? "png";
  const path = `${to.start.imagesDir}/${callId.replaceAll(/[^A-Za-z0-9_-]/g, "")}-${index}.${extension}`;
  to.images.push({ path, base64: data });
  return [imageAt(path, mimeType)];
}

function imageAt(path: string, mime: unknown): Image {
  return { type: "image", path, ...(typeof mime === "string" ? { mime } : {}) };
}
