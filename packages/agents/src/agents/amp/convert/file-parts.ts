import type { ContentPart } from "@sandbox-agent-ts/protocol";
import { diffTexts } from "../../../diff/unified-diff.ts";
import type { OpenCall } from "./amp-state.ts";
import { isRecord, record } from "./json.ts";

type FileRef = Extract<ContentPart, { type: "file_ref" }>;

/** The files that a tool read or changed: `apply_patch` tells them itself, of other tools the input says which it was. */
export function fileParts({ name, input }: OpenCall, value: unknown): FileRef[] {
  const { files, diff, absolutePath } = record(value);
  if (Array.isArray(files)) return files.filter(isRecord).flatMap(changeOf);
  if (typeof absolutePath === "string") return [{ type: "file_ref", path: absolutePath, action: "read" }];
  const { path, content } = input;
  if (typeof path !== "string") return [];
  if (name === "create_file" && typeof content === "string") {
    return [{ type: "file_ref", path, action: "write", diff: diffTexts(path, undefined, content) }];
  }
  return typeof diff === "string" ? [{ type: "file_ref", path, action: "patch", diff: unfenced(diff) }] : [];
}

function changeOf({ uri, type, diff }: Record<string, unknown>): FileRef[] {
  if (typeof uri !== "string") return [];
  const action = type === "add" ? "write" : "patch";
  return [
    { type: "file_ref", path: pathOf(uri), action, ...(typeof diff === "string" ? { diff: headless(diff) } : {}) },
  ];
}

function pathOf(uri: string): string {
  return uri.startsWith("file://") ? decodeURIComponent(new URL(uri).pathname) : uri;
}

/** Without the lines `Index: …` and `=====` in front. */
function headless(diff: string): string {
  return diff.replace(/^Index: .*\n=+\n/, "");
}

/** `edit_file` gives its diff to be read as Markdown. */
function unfenced(diff: string): string {
  return diff.replace(/^```diff\n/, "").replace(/```\s*$/, "");
}
