import type { ContentPart, FileRefPart, ImagePart } from "@sandbox-agent-ts/protocol";
import { type Diff, diffOfTexts, parseDiff } from "../diff/parse-diff.ts";
import type { ToolUse } from "./entry.ts";

type ToolState = "running" | "done" | "failed";

/** A use of a tool in the words of the page, whichever agent it comes from. */
export interface ToolView {
  readonly name: string;
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

export interface FileChange {
  readonly path: string;
  readonly action: FileRefPart["action"];
  readonly diff: Diff | undefined;
}

/** Names that agents give to what a tool works on, best first. */
const telling = ["command", "cmd", "pattern", "query", "file_path", "filePath", "path", "url", "description", "prompt"];

export function toolViewOf({ call, result }: ToolUse): ToolView {
  const use = call?.content.find((part) => part.type === "tool_call");
  const input = parseArguments(use?.arguments ?? "");
  const parts = [...(call?.content ?? []), ...(result?.content ?? [])];
  const command = commandOf(input);
  return {
    name: use?.name ?? "tool",
    state: stateOf(call?.status, result?.status),
    summary: command ?? summaryOf(input),
    command,
    arguments: input,
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

export function commandOf(input: unknown): string | undefined {
  if (!isRecord(input)) return undefined;
  const command = input.command ?? input.cmd;
  if (typeof command === "string") return command;
  return Array.isArray(command) ? command.map(String).join(" ") : undefined;
}

function summaryOf(input: unknown): string {
  if (!isRecord(input)) return "";
  const named = telling.map((name) => input[name]).find((value) => typeof value === "string" && value !== "");
  const value = named ?? Object.values(input).find((other) => typeof other === "string" && other !== "");
  return String(value ?? "").split("\n", 1)[0] ?? "";
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

/** The change that arguments of an edit describe, before it has happened. */
export function changeOfInput(input: unknown): FileChange | undefined {
  if (!isRecord(input)) return undefined;
  const path = text(input, ["file_path", "filePath", "path"]);
  if (path === undefined) return undefined;
  const old = text(input, ["old_string", "oldString", "old_text", "oldText", "old"]);
  const fresh = text(input, ["new_string", "newString", "new_text", "newText", "new", "content"]);
  if (fresh === undefined) return undefined;
  return { path, action: old === undefined ? "write" : "patch", diff: diffOfTexts(old ?? "", fresh) };
}

function text(input: Record<string, unknown>, names: readonly string[]): string | undefined {
  return names.map((name) => input[name]).find((value): value is string => typeof value === "string");
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
