import {
  type ActionKind,
  type ContentPart,
  describeToolCall,
  type FileRefPart,
  type ImagePart,
} from "@sandbox-agent-ts/protocol";
import { type Diff, parseDiff } from "../diff/parse-diff.ts";
import type { ToolUse } from "./entry.ts";

type ToolState = "running" | "done" | "failed";

/** A use of a tool in the words of the page, whichever agent it comes from. */
export interface ToolView {
  readonly name: string;
  readonly kind: ActionKind;
  readonly state: ToolState;
  /** The one thing that tells this use from the others. */
  readonly summary: string;
  readonly command: string | undefined;
  readonly arguments: unknown;
  readonly output: string;
  readonly exitCode: number | undefined;
  readonly changes: readonly FileChange[];
  readonly images: readonly ImagePart[];
}

interface FileChange {
  readonly path: string;
  readonly action: FileRefPart["action"];
  readonly diff: Diff | undefined;
}

export function toolViewOf({ call, result }: ToolUse): ToolView {
  const use = call?.content.find((part) => part.type === "tool_call");
  const { kind, subject, command } = describeToolCall(use?.name ?? "", use?.arguments);
  const parts = [...(call?.content ?? []), ...(result?.content ?? [])];
  return {
    name: use?.name ?? "tool",
    kind,
    state: stateOf(call?.status, result?.status),
    summary: subject,
    command,
    arguments: parseArguments(use?.arguments ?? ""),
    output: outputOf(result?.content ?? []),
    exitCode: exitCodeOf(parts),
    changes: changesOf(parts),
    images: parts.filter((part) => part.type === "image"),
  };
}

function stateOf(call: string | undefined, result: string | undefined): ToolState {
  if (call === "failed" || result === "failed") return "failed";
  return result === "completed" ? "done" : "running";
}

/** Arguments while they are written are no JSON yet; they are shown as they are. */
function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function outputOf(parts: readonly ContentPart[]): string {
  return parts
    .flatMap((part) => {
      if (part.type === "tool_result") return part.output === "" ? [] : [part.output];
      return part.type === "text" ? [part.text] : [];
    })
    .join("\n");
}

function exitCodeOf(parts: readonly ContentPart[]): number | undefined {
  for (const part of parts) {
    if (part.type === "json" && isRecord(part.json) && typeof part.json.exit_code === "number")
      return part.json.exit_code;
  }
  return undefined;
}

/** A change is often told twice, by the call and by its result; the later one knows what really happened. */
function changesOf(parts: readonly ContentPart[]): FileChange[] {
  const changes = new Map<string, FileChange>();
  for (const part of parts) {
    if (part.type !== "file_ref" || part.action === "read") continue;
    const diff = part.diff ? parseDiff(part.diff) : changes.get(part.path)?.diff;
    changes.set(part.path, { path: part.path, action: part.action, diff });
  }
  return [...changes.values()];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
