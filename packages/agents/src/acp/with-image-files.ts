import { readRegularFile } from "../files/read-regular-file.ts";
import { imageMime } from "../images/image-mime.ts";
import type { JsonRpcCall } from "../json-rpc/json-rpc-message.ts";
import type { AcpToolContent, AcpUpdate } from "./dialect.ts";

/** An update about a tool, with the images that it only names: for agents that look at a file and do not show it. */
export async function withImageFiles(call: JsonRpcCall, paths: readonly string[]): Promise<JsonRpcCall> {
  const { update = {} } = call.params as { update?: AcpUpdate };
  const images = await Promise.all(paths.map(imageContent));
  const content = [...(Array.isArray(update.content) ? update.content : []), ...images];
  return { ...call, params: { ...(call.params as object), update: { ...update, content } } };
}

async function imageContent(path: string): Promise<AcpToolContent> {
  const mimeType = imageMime(path) ?? "image/png";
  return {
    type: "content",
    content: { type: "image", data: (await readRegularFile(path)).toString("base64"), mimeType },
  };
}
