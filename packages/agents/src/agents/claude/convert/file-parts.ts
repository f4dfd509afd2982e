import type { ContentPart } from "@sandbox-agent-ts/protocol";
import type { OpenCall } from "./claude-state.ts";
import { isRecord } from "./tool-calls.ts";
import { creationDiff, type PatchHunk, unifiedDiff } from "./unified-diff.ts";

const writers = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

/** The file that a tool read or changed. Results of subagents' tools come without details: then only its path is known. */
export function fileParts(call: OpenCall, details: unknown): ContentPart[] {
  const path = firstString(call.input.file_path, call.input.notebook_path);
  if (path === undefined) return [];
  if (call.name === "Read") return [{ type: "file_ref", path, action: "read" }];
  if (!writers.has(call.name)) return [];
  return [isRecord(details) ? changeOf(path, details) : { type: "file_ref", path, action: actionOf(call) }];
}

function changeOf(path: string, details: Record<string, unknown>): ContentPart {
  if (details.type === "create" && typeof details.content === "string") {
    return { type: "file_ref", path, action: "write", diff: creationDiff(path, details.content) };
  }
  const hunks = Array.isArray(details.structuredPatch) ? (details.structuredPatch as PatchHunk[]) : [];
  const diff = hunks.length === 0 ? {} : { diff: unifiedDiff(path, hunks) };
  return { type: "file_ref", path, action: details.type === "update" ? "write" : "patch", ...diff };
}

function actionOf({ name }: OpenCall): "write" | "patch" {
  return name === "Write" ? "write" : "patch";
}

function firstString(...values: unknown[]): string | undefined {
  return values.find((value) => typeof value === "string");
}
