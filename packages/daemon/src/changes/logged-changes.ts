import { isAbsolute, relative } from "node:path";
import type { FileChange, FileRefPart, UniversalEvent } from "@sandbox-agent-ts/protocol";

export interface LoggedRange {
  /** From the start of this turn; undefined is the log's beginning. */
  readonly from: string | undefined;
  /** To the start of this turn; undefined is the log's end. */
  readonly until: string | undefined;
}

/** What an agent reported to have done to files, as far as it said how. Later changes of a file follow earlier ones. */
export class LoggedChanges {
  readonly #range: LoggedRange;
  readonly #directory: string;
  readonly #maxBytes: number;
  readonly #files = new Map<string, { change: FileChange; diffs: string[] }>();
  #isWithin: boolean;
  #size = 0;
  /** More was changed than fits. */
  truncated = false;

  constructor(range: LoggedRange, directory: string, maxBytes: number) {
    this.#range = range;
    this.#directory = directory;
    this.#maxBytes = maxBytes;
    this.#isWithin = range.from === undefined;
  }

  take(event: UniversalEvent): void {
    if (event.type === "turn.started") {
      const { turn_id } = event.data;
      if (turn_id === this.#range.from) this.#isWithin = true;
      if (turn_id === this.#range.until) this.#isWithin = false;
    }
    if (!this.#isWithin || event.type !== "item.completed") return;
    for (const part of event.data.item.content) if (part.type === "file_ref" && part.action !== "read") this.#add(part);
  }

  /** Those at or below `path`, if one is given. */
  result(path: string | undefined): { files: FileChange[]; diff: string } {
    const found = [...this.#files.values()].filter(({ change }) => isWithin(change.path, path));
    return {
      files: found.map(({ change }) => change),
      diff: found.flatMap(({ diffs }) => diffs).join(""),
    };
  }

  #add({ path, diff }: FileRefPart): void {
    const name = this.#nameOf(path);
    const known = this.#files.get(name);
    const { status, additions, deletions } = countLines(diff ?? "");
    const entry = known ?? { change: { path: name, status, additions: 0, deletions: 0 }, diffs: [] };
    this.#files.set(name, entry);
    entry.change.additions += additions;
    entry.change.deletions += deletions;
    if (known && status === "deleted") entry.change.status = "deleted";
    if (!diff) return;
    this.#size += diff.length;
    if (this.#size > this.#maxBytes) this.truncated = true;
    else entry.diffs.push(diff.endsWith("\n") ? diff : `${diff}\n`);
  }

  #nameOf(path: string): string {
    if (!isAbsolute(path)) return path;
    const inside = relative(this.#directory, path);
    return inside === "" || inside.startsWith("..") ? path : inside;
  }
}

function isWithin(name: string, path: string | undefined): boolean {
  return path === undefined || name === path || name.startsWith(`${path}/`);
}

function countLines(diff: string): Pick<FileChange, "status" | "additions" | "deletions"> {
  let status: FileChange["status"] = "modified";
  let [additions, deletions] = [0, 0];
  for (const line of diff.split("\n")) {
    if (line.startsWith("--- ")) status = line.startsWith("--- /dev/null") ? "added" : status;
    else if (line.startsWith("+++ ")) status = line.startsWith("+++ /dev/null") ? "deleted" : status;
    else if (line.startsWith("+")) additions += 1;
    else if (line.startsWith("-")) deletions += 1;
  }
  return { status, additions, deletions };
}
