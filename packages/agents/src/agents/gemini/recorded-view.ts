import type { AcpToolContent, AcpUpdate } from "../../acp/dialect.ts";
import type { ChatToolCall } from "./chat/chat-record.ts";
import { toolResult } from "./chat/tool-result.ts";

/** A recorded call in the protocol's words, which the program itself leaves out. Pure. */
export function recordedView(record: ChatToolCall): Partial<AcpUpdate> {
  const { output, failed, images, change } = toolResult(record);
  const content: AcpToolContent[] = [
    ...(change ? [{ type: "diff", path: change.path, oldText: change.before ?? null, newText: change.after }] : []),
    ...(output === "" ? [] : [{ type: "content", content: { type: "text", text: output } }]),
    ...images.map((image) => ({ type: "content", content: { type: "image", ...image } })),
  ];
  return {
    status: failed ? "failed" : "completed",
    content,
    ...(record.name ? { name: record.name } : {}),
    ...(record.args ? { rawInput: record.args } : {}),
  };
}
