import type { FileRefPart } from "@sandbox-agent-ts/protocol";
import type { CodexFileChange } from "../dialect.ts";
import { pathInside } from "./path-inside.ts";

/** What happened to a file, with a whole unified diff. */
export function fileRef(change: CodexFileChange, directory: string): FileRefPart {
  const path = change.kind?.move_path ?? change.path ?? "";
  return {
    type: "file_ref",
    path,
    action: change.kind?.type === "add" ? "write" : "patch",
    diff: unifiedDiff(change, directory),
  };
}

/** As the input of the tool that changes them. */
export function changesInput(changes: readonly CodexFileChange[]): object {
  const told = changes.map(({ path, kind }) => {
    return { path, type: kind?.type, ...(kind?.move_path ? { move_path: kind.move_path } : {}) };
  });
  return { changes: told };
}

/** For people: `add a.txt`, one line each. */
export function summary(changes: readonly CodexFileChange[], directory: string): string {
  return changes
    .map(({ path = "", kind }) => {
      const moved = kind?.move_path ? ` to ${shown(kind.move_path, directory)}` : "";
      return `${kind?.type ?? "change"} ${shown(path, directory)}${moved}`;
    })
    .join("\n");
}

export function unifiedDiff({ path = "", kind, diff = "" }: CodexFileChange, directory: string): string {
  const from = shown(path, directory);
  const to = shown(kind?.move_path ?? path, directory);
  if (kind?.type === "add") return `--- /dev/null\n+++ b/${to}\n${wholeFile("+", diff)}`;
  if (kind?.type === "delete") return `--- a/${from}\n+++ /dev/null\n${wholeFile("-", diff)}`;
  // A file that was moved too has a sentence about it after the diff.
  return `--- a/${from}\n+++ b/${to}\n${diff.replace(/\n\nMoved to: .*$/s, "")}`;
}

/** All lines of a file as one hunk. */
function wholeFile(sign: "+" | "-", text: string): string {
  if (text === "") return "";
  const endsWithNewline = text.endsWith("\n");
  const lines = (endsWithNewline ? text.slice(0, -1) : text).split("\n");
  const range = sign === "+" ? `-0,0 +1,${lines.length}` : `-1,${lines.length} +0,0`;
  const end = endsWithNewline ? "" : "\\ No newline at end of file\n";
  return `@@ ${range} @@\n${lines.map((line) => `${sign}${line}\n`).join("")}${end}`;
}

function shown(path: string, directory: string): string {
  return pathInside(directory, path) ?? path.replace(/^\/+/, "");
}
