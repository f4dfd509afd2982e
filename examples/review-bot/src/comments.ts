export interface Comment {
  readonly path: string;
  readonly line: number;
  readonly comment: string;
}

/** The JSON in an agent's answer, held against the change: a comment to a line that it does not add is left out. */
export function commentsIn(answer: string, diff: string): Comment[] {
  const [, json] = /```json\s*(\[.*?\])\s*```/s.exec(answer) ?? [];
  if (json === undefined) throw new Error(`The agent answered without a block of JSON:\n${answer}`);
  const added = addedLines(diff);
  return (JSON.parse(json) as Comment[])
    .filter(({ path, line }) => added.has(`${path}:${line}`))
    .map(({ path, line, comment }) => ({ path, line, comment: String(comment) }));
}

/** Lines that a unified diff adds, as path:line. */
function addedLines(diff: string): Set<string> {
  const added = new Set<string>();
  let path = "";
  let line = 0;
  for (const text of diff.split("\n")) {
    const hunk = /^@@ .*\+(\d+)/.exec(text);
    if (text.startsWith("+++ ")) path = text.replace(/^\+\+\+ (b\/)?/, "");
    else if (hunk) line = Number(hunk[1]) - 1;
    else if (text.startsWith("+")) added.add(`${path}:${++line}`);
    else if (text.startsWith(" ")) line += 1;
  }
  return added;
}
