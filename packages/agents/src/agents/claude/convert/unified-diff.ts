/** A hunk of Claude Code's `structuredPatch`: its lines carry their sign already. */
export interface PatchHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

export function unifiedDiff(path: string, hunks: readonly PatchHunk[]): string {
  const name = path.replace(/^\//, "");
  const body = hunks.map(
    ({ oldStart, oldLines, newStart, newLines, lines }) =>
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.join("\n")}\n`,
  );
  return `--- a/${name}\n+++ b/${name}\n${body.join("")}`;
}

/** A file that was not there before. */
export function creationDiff(path: string, content: string): string {
  const name = path.replace(/^\//, "");
  const lines = content.split("\n");
  const endsWithNewline = lines.at(-1) === "";
  if (endsWithNewline) lines.pop();
  if (lines.length === 0) return `--- /dev/null\n+++ b/${name}\n`;
  const body = lines.map((line) => `+${line}\n`).join("");
  const note = endsWithNewline ? "" : "\\ No newline at end of file\n";
  return `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,${lines.length} @@\n${body}${note}`;
}
