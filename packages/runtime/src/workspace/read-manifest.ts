import { FsManifestLine, type WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import { isPathBelow, pathBytesOf, pathKey } from "../store/entry-path.ts";

/** What a sandbox says is not trusted: no manifest is longer. */
const maxEntries = 120_000;
const maxManifestBytes = 64 * 1024 * 1024;
const maxLineLength = 64 * 1024;
export const maxFileBytes = 100 * 1024 * 1024;
/** What a daemon lists by default, and what files may grow by meanwhile. */
const maxBytes = 2 * 1024 * 1024 * 1024 + maxFileBytes;

export interface SandboxManifest {
  /** By `pathKey`. */
  readonly entries: ReadonlyMap<string, WorkspaceEntry>;
  /** Sums, and how much was left out and why. */
  readonly summary: WorkspaceSummary;
}

export interface WorkspaceSummary {
  readonly entries: number;
  readonly bytes: number;
  readonly leftOut: Readonly<Record<string, number>>;
  /** The first of what was left out. */
  readonly examples: readonly { readonly path: string; readonly reason: string }[];
}

const maxExamples = 100;

/** What no daemon says of its files, as the end of a sentence: the sandbox is not to be trusted. */
export class WorkspaceFault extends Error {
  override readonly name = "WorkspaceFault";
}

/** Reads what a sandbox says is in its workspace. Holds it to limits, and to paths that lead nowhere else. */
export async function readManifest(body: AsyncIterable<Uint8Array>): Promise<SandboxManifest> {
  const entries = new Map<string, WorkspaceEntry>();
  const examples: { path: string; reason: string }[] = [];
  let left = maxBytes;
  for await (const text of linesOf(body)) {
    const line = parsed(text);
    if (line.type === "end") {
      const { entries: count, bytes, leftOut } = line;
      return { entries, summary: { entries: count, bytes, leftOut: leftOut as Record<string, number>, examples } };
    }
    if (line.type === "left_out") {
      if (examples.length < maxExamples) examples.push({ path: line.path, reason: line.reason });
      continue;
    }
    const key = pathKey(checkedPath(line));
    checkPlace(entries, key);
    entries.set(key, line);
    if (line.type === "file") left -= line.size;
    if (left < 0) throw new WorkspaceFault("its files are larger than a workspace may be");
    if (entries.size > maxEntries) throw new WorkspaceFault(`it has more than ${maxEntries} entries`);
  }
  throw new Error("The manifest was cut off.");
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxManifestBytes) throw new WorkspaceFault(`its manifest is longer than ${maxManifestBytes} bytes`);
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > maxLineLength) throw new WorkspaceFault("its manifest has an endless line");
    yield* lines;
  }
}

function parsed(text: string): FsManifestLine {
  try {
    return FsManifestLine.parse(JSON.parse(text));
  } catch (cause) {
    throw new WorkspaceFault("its manifest has a line that is none", { cause });
  }
}

/** The bytes of a path below the workspace. */
function checkedPath(entry: WorkspaceEntry): Buffer {
  const bytes = pathBytesOf(entry);
  if (!isPathBelow(bytes)) throw new WorkspaceFault("its manifest has a path that leads elsewhere");
  if (entry.type === "file" && !/^[0-9a-f]{64}$/.test(entry.hash))
    throw new WorkspaceFault("its manifest has no hashes");
  if (entry.type === "file" && entry.size > maxFileBytes)
    throw new WorkspaceFault("its manifest has a file that is larger than any may be");
  return bytes;
}

/** Something in what is no directory, or twice in the same place, could be restored nowhere. */
function checkPlace(before: ReadonlyMap<string, WorkspaceEntry>, key: string): void {
  const slash = key.lastIndexOf("/");
  const isInDirectory = slash < 0 || before.get(key.slice(0, slash))?.type === "directory";
  if (!isInDirectory || before.has(key))
    throw new WorkspaceFault("its manifest has two things in one place, or something in what is no directory");
}
