import type { ContentPart } from "@sandbox-agent-ts/protocol";
import { imageFile } from "../../../images/image-file.ts";
import type { ContentBlock, ToolResultBlock, UserLine } from "../dialect.ts";
import type { OpenCall } from "./claude-state.ts";
import type { Conversion } from "./conversion.ts";
import { fileParts } from "./file-parts.ts";
import { showTodos } from "./todos.ts";
import { closeCall, isRecord } from "./tool-calls.ts";

/** Of a user line only the results of tools are news: the words in it were the user's own, or Claude Code's to the model. */
export function takeUser(to: Conversion, line: UserLine): void {
  if (line.isReplay && to.turn && line.uuid === to.turn.promptId) to.turn = { ...to.turn, started: true };
  const { content } = line.message;
  if (typeof content === "string") return;
  for (const block of content) {
    if (block.type === "tool_result") takeResultBlock(to, block, line.tool_use_result);
  }
}

function takeResultBlock(to: Conversion, block: ToolResultBlock, details: unknown): void {
  const call = to.calls.get(block.tool_use_id);
  if (!call) return;
  const status = block.is_error ? "failed" : "completed";
  closeCall(to, block.tool_use_id, call, status);
  const output = textOf(block.content);
  const content: ContentPart[] = [
    { type: "tool_result", call_id: block.tool_use_id, output },
    ...commandParts(call, output, details, status === "failed"),
    ...(status === "failed" ? [] : fileParts(call, details)),
    ...imageParts(to, call, block),
  ];
  to.showItem(
    { kind: "tool_result", role: "tool", content, nativeId: block.tool_use_id, parentId: call.parentId },
    status,
  );
  if (status === "completed") showTodos(to, call, details);
}

function textOf(content: ToolResultBlock["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

const exitCode = /^Exit code (\d+)/;

/** How a command ended; Claude Code tells the exit code only of those that failed, as the first line of their output. */
function commandParts(call: OpenCall, output: string, details: unknown, failed: boolean): ContentPart[] {
  if (call.name !== "Bash") return [];
  const code = exitCode.exec(output)?.[1];
  const { backgroundTaskId, interrupted } = isRecord(details) ? details : {};
  if (typeof backgroundTaskId === "string") {
    return [{ type: "json", json: { command: call.input.command, background_task_id: backgroundTaskId } }];
  }
  if (failed && code === undefined) return [];
  const exit_code = code === undefined || !failed ? 0 : Number(code);
  return [{ type: "json", json: { command: call.input.command, exit_code, ...(interrupted ? { interrupted } : {}) } }];
}

const savedAt = /^\[Image: source: (.+)\]$/;

/** An image that was read lies where it was read from, one of an MCP server where the text after it says. */
function imageParts(to: Conversion, call: OpenCall, block: ToolResultBlock): ContentPart[] {
  if (!Array.isArray(block.content)) return [];
  return block.content.flatMap((part, index, all): ContentPart[] => {
    if (part.type !== "image") return [];
    const mime = part.source?.media_type;
    const path = knownPath(call, all[index + 1]) ?? keep(to, block.tool_use_id, index, part.source);
    return path === undefined ? [] : [{ type: "image", path, ...(mime === undefined ? {} : { mime }) }];
  });
}

function knownPath(call: OpenCall, next: ContentBlock | undefined): string | undefined {
  if (next?.type === "text") {
    const path = savedAt.exec(next.text)?.[1];
    if (path !== undefined) return path;
  }
  return call.name === "Read" && typeof call.input.file_path === "string" ? call.input.file_path : undefined;
}

function keep(
  to: Conversion,
  callId: string,
  index: number,
  source: { media_type?: string; data?: string } | undefined,
): string | undefined {
  if (source?.data === undefined) return undefined;
  const image = imageFile(to.start.imagesDir, `${callId}-${index}`, source.data, source.media_type);
  to.images.push(image);
  return image.path;
}
