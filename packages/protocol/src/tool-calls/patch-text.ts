/** A file that a patch of the form `*** Begin Patch` changes. */
export interface PatchedFile {
  readonly change: "add" | "update" | "delete";
  readonly path: string;
  /** Where an updated file is moved to. */
  readonly movedTo?: string;
  /** The lines that go and the lines that come, each with the unchanged lines around them. */
  readonly before: string;
  readonly after: string;
}

const fileLine = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;
const moveLine = /^\*\*\* Move to: (.+?)\s*$/;

/** The files of a patch; none when the text is no such patch. */
export function parsePatchText(text: string): PatchedFile[] {
  const files: { -readonly [K in keyof PatchedFile]: PatchedFile[K] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, change, path] = fileLine.exec(line) ?? [];
    const current = files.at(-1);
    if (path !== undefined) {
      files.push({ change: change?.toLowerCase() as PatchedFile["change"], path, before: "", after: "" });
    } else if (current && !takeMove(current, line)) takeLine(current, line);
  }
  return files;
}

function takeMove(file: { movedTo?: string }, line: string): boolean {
  const target = moveLine.exec(line)?.[1];
  if (target !== undefined) file.movedTo = target;
  return target !== undefined;
}

function takeLine(file: { before: string; after: string }, line: string): void {
  const [sign, text] = [line.slice(0, 1), `${line.slice(1)}\n`];
  if (sign === "-" || sign === " ") file.before += text;
  if (sign === "+" || sign === " ") file.after += text;
}
