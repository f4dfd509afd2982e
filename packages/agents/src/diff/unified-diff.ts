import { structuredPatch } from "diff";

const CONTEXT_LINES = 3;
/** Texts that differ in more lines than this are told as one whole replacement: finding the best diff would take long. */
const MAX_EDITS = 500;

/**
 * What became of a file's text, as a unified diff. `before` is absent for a file that was not there, `oldPath` is where a
 * file was that is moved, too. Pure.
 */
export function diffTexts(path: string, before: string | undefined, after: string, oldPath = path): string {
  const name = path.replace(/^\/+/, "");
  const from = before === undefined ? "/dev/null" : `a/${oldPath.replace(/^\/+/, "")}`;
  return `--- ${from}\n+++ b/${name}\n${hunksBetween(before ?? "", after)}`;
}

/** The same without the lines that name the file. Pure. */
export function hunksBetween(before: string, after: string): string {
  const body = hunksOf(before, after).map(({ oldStart, oldLines, newStart, newLines, lines }) => {
    return `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@\n${lines.map((line) => `${line}\n`).join("")}`;
  });
  return body.join("");
}

function hunksOf(before: string, after: string) {
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  return patch?.hunks ?? [wholeReplacement(before, after)];
}

function wholeReplacement(before: string, after: string) {
  const [old, now] = [signed("-", before), signed("+", after)];
  return { oldStart: 1, oldLines: old.count, newStart: 1, newLines: now.count, lines: [...old.lines, ...now.lines] };
}

function signed(sign: string, text: string): { count: number; lines: string[] } {
  if (text === "") return { count: 0, lines: [] };
  const endsWithNewline = text.endsWith("\n");
  const lines = (endsWithNewline ? text.slice(0, -1) : text).split("\n").map((line) => sign + line);
  return { count: lines.length, lines: endsWithNewline ? lines : [...lines, "\\ No newline at end of file"] };
}

/** An empty range stands before the line that it names. */
function rangeOf(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}
