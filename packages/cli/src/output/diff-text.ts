import type { SessionDiff } from "@sandbox-agent-ts/sdk";
import type { Paint, Tone } from "./terminal.ts";
import { textTable } from "./text-table.ts";
import { withoutControls } from "./text-width.ts";

/** A unified diff for people: coloured by line, and nothing in it can steer the terminal. */
export function diffText(diff: string, paint: Paint): string {
  let isHeader = false;
  const lines = diff.split("\n").map((line) => {
    if (line.startsWith("diff --git ")) isHeader = true;
    if (line.startsWith("@@")) isHeader = false;
    const tone = isHeader ? "bold" : tones[line[0] ?? ""];
    const text = withoutControls(line);
    return tone === undefined ? text : paint(tone, text);
  });
  return lines.join("\n");
}

const tones: Readonly<Record<string, Tone>> = { "+": "green", "-": "red", "@": "cyan" };

/** Which files changed, and by how many lines. */
export function diffStatText(files: SessionDiff["files"], paint: Paint): string {
  const rows = files.map(({ status, path, oldPath, additions, deletions, binary }) => {
    const lines = binary ? ["binary", ""] : [`+${additions}`, `-${deletions}`];
    return [status, ...lines, oldPath ? `${oldPath} → ${path}` : path];
  });
  const columns = [
    { title: "status", tone: (status: string) => statusTones[status] },
    { title: "added", tone: (): Tone => "green" },
    { title: "deleted", tone: (): Tone => "red" },
    "file",
  ];
  return textTable(columns, rows, { paint });
}

const statusTones: Readonly<Record<string, Tone>> = { added: "green", deleted: "red", renamed: "cyan" };
