import type { ChatData, ChatPart, ChatToolCall } from "./chat-record.ts";

/** What came of a call, as the model was told it. */
export interface ToolResult {
  readonly output: string;
  readonly failed: boolean;
  readonly images: readonly ChatData[];
  readonly change?: FileChange;
}

interface FileChange {
  readonly path: string;
  /** Absent for a file that was not there. */
  readonly before?: string;
  readonly after: string;
}

/** Pure. */
export function toolResult(call: ChatToolCall): ToolResult {
  const parts = Array.isArray(call.result) ? (call.result as readonly ChatPart[]) : [];
  const responses = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  const { output, error } = responses[0]?.response ?? {};
  const shown = shellOutput(textOf(error ?? output));
  const change = fileChange(call.resultDisplay);
  return {
    output: shown.text,
    failed: call.status === "error" || error !== undefined || shown.failed,
    images: [...parts, ...responses.flatMap((response) => response.parts ?? [])].flatMap(imageOf),
    ...(change ? { change } : {}),
  };
}

const wrapped = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/;

/** A command's output comes with the number of its process, which is of no use to anybody. */
function shellOutput(text: string): { text: string; failed: boolean } {
  const inner = wrapped.exec(text)?.[1];
  if (inner === undefined) return { text, failed: false };
  const failed = /^(Exit Code: (?!0$)|Signal: |Error: )/m.test(inner);
  const told = inner.replace(/\n?^Process Group PGID: \d+$/m, "").replace(/^Output: (\(empty\)\n?)?/, "");
  return { text: told, failed };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function imageOf({ inlineData }: ChatPart): ChatData[] {
  return inlineData?.data && inlineData.mimeType?.startsWith("image/") ? [inlineData] : [];
}

function fileChange(display: unknown): FileChange | undefined {
  if (typeof display !== "object" || display === null || !("fileDiff" in display)) return undefined;
  const shown = display as Readonly<
    Partial<Record<"filePath" | "fileName" | "originalContent" | "newContent", unknown>>
  >;
  const path = shown.filePath ?? shown.fileName;
  if (typeof path !== "string" || typeof shown.newContent !== "string") return undefined;
  const before = shown.originalContent;
  return { path, after: shown.newContent, ...(typeof before === "string" && before !== "" ? { before } : {}) };
}
