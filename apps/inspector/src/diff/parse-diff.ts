type DiffLineKind = "add" | "del" | "same" | "gap";

export interface DiffLine {
  readonly kind: DiffLineKind;
  readonly text: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

export interface Diff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/;
const header = /^(diff --git |index [0-9a-f]|--- |\+\+\+ |(new|old|deleted) |(copy|rename) (from|to) |similarity )/;

/** A unified diff as lines with their numbers. Tolerant: what is no diff is shown as it is. */
export function parseDiff(text: string): Diff {
  const lines: DiffLine[] = [];
  let before = 1;
  let after = 1;
  let inHunk = false;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const start = hunk.exec(line);
    if (start) {
      [before, after] = [Number(start[1]), Number(start[2])];
      if (lines.length > 0 || before > 1) lines.push({ kind: "gap", text: start[3]?.trim() ?? "", ...nowhere });
      inHunk = true;
    } else if (isHeader(line, inHunk)) {
      inHunk = false;
    } else if (line.startsWith("+")) {
      lines.push({ kind: "add", text: line.slice(1), before: undefined, after: after++ });
    } else if (line.startsWith("-")) {
      lines.push({ kind: "del", text: line.slice(1), before: before++, after: undefined });
    } else if (!line.startsWith("\\")) {
      lines.push({ kind: "same", text: line.replace(/^ /, ""), before: before++, after: after++ });
    }
  }
  return { lines, added: count(lines, "add"), removed: count(lines, "del") };
}

const nowhere = { before: undefined, after: undefined };

/** Inside a hunk `--- a` may be a removed line `-- a`: only the pair of lines before a hunk is a header. */
function isHeader(line: string, inHunk: boolean): boolean {
  if (!header.test(line)) return false;
  return !inHunk || line.startsWith("diff --git ") || /^(--- (a\/|\/dev\/null)|\+\+\+ (b\/|\/dev\/null))/.test(line);
}

function count(lines: readonly DiffLine[], kind: DiffLineKind): number {
  return lines.filter((line) => line.kind === kind).length;
}
