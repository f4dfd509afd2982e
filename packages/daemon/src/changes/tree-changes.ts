import type { FileChange } from "@sandbox-agent-ts/protocol";

/** What `git diff-tree -r -z --raw --numstat` says, as files in its order. Pure. */
export function parseTreeChanges(output: Buffer): FileChange[] {
  const fields = output.toString("utf8").split("\0");
  const files: FileChange[] = [];
  let at = 0;
  while (fields[at]?.startsWith(":")) {
    const letter = fields[at]!.split(" ").at(-1)![0]!;
    const isRename = letter === "R";
    const path = fields[at + (isRename ? 2 : 1)] ?? "";
    files.push({
      path,
      ...(isRename ? { oldPath: fields[at + 1] ?? "" } : {}),
      status: statuses[letter] ?? "modified",
      additions: 0,
      deletions: 0,
    });
    at += isRename ? 3 : 2;
  }
  const byPath = new Map(files.map((file) => [file.path, file]));
  while (at < fields.length) {
    const counts = /^(-|\d+)\t(-|\d+)\t(.*)$/s.exec(fields[at] ?? "");
    if (!counts) break;
    const [, added = "", deleted = "", name = ""] = counts;
    // A rename has an empty name here, and its old and new ones as the next fields.
    const file = byPath.get(name === "" ? (fields[at + 2] ?? "") : name);
    if (file && added === "-") file.binary = true;
    else if (file) Object.assign(file, { additions: Number(added), deletions: Number(deleted) });
    at += name === "" ? 3 : 1;
  }
  return files;
}

const statuses: Readonly<Record<string, FileChange["status"]>> = { A: "added", D: "deleted", R: "renamed" };

/** At most so many bytes of a patch, cut between two files, or within the first between two lines. Pure. */
export function cutPatch(patch: Buffer, maxBytes: number): Buffer {
  if (patch.length <= maxBytes) return patch;
  const head = patch.subarray(0, maxBytes);
  const file = head.lastIndexOf("\ndiff --git ");
  return head.subarray(0, (file > 0 ? file : head.lastIndexOf("\n")) + 1);
}
