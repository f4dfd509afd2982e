import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { hunksBetween } from "@sandbox-agent-ts/agents";
import type { FileChange, RuntimeCheckpointDiff, WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import { type CheckpointStore, smallBlobBytes } from "../store/checkpoint-store.ts";
import { pathBytesOf } from "../store/entry-path.ts";
import { checkpointEntries } from "./checkpoint-entries.ts";

export interface DiffLimits {
  readonly files: number;
  /** Of texts that are compared, both sides. */
  readonly comparedBytes: number;
  readonly diffLength: number;
}

const defaultLimits: DiffLimits = { files: 5_000, comparedBytes: 64 * 1024 * 1024, diffLength: 4 * 1024 * 1024 };

type Leaf = Exclude<WorkspaceEntry, { type: "directory" }>;

interface Change {
  readonly before: Leaf | undefined;
  readonly after: Leaf | undefined;
}

interface Texts {
  readonly before: string;
  readonly after: string;
}

/** What became of the files from one checkpoint of a session to another; texts also line by line. */
export async function checkpointDiff(
  store: CheckpointStore,
  sessionId: string,
  { from, to, withText }: { readonly from: number; readonly to: number; readonly withText: boolean },
  limits: DiffLimits = defaultLimits,
): Promise<RuntimeCheckpointDiff> {
  const changes: Change[] = [];
  let more = 0;
  for await (const change of changesBetween(leaves(store, sessionId, from), leaves(store, sessionId, to))) {
    if (changes.length < limits.files) changes.push(change);
    else more += 1;
  }
  const files: FileChange[] = [];
  const texts: string[] = [];
  let compared = 0;
  let length = 0;
  let uncompared = 0;
  let unshown = 0;
  for (const change of withRenames(changes)) {
    const size = comparedBytesOf(change);
    const isAffordable = size === 0 || compared + size <= limits.comparedBytes;
    if (isAffordable) compared += size;
    else uncompared += 1;
    const both = isAffordable ? await textsOf(store, change) : undefined;
    const text = both ? textOfChange(change, both) : "";
    files.push({ ...named(change), ...counted(text), ...(both || !isAffordable ? {} : { binary: true }) });
    if (withText && length + text.length > limits.diffLength) unshown += 1;
    else if (withText) {
      texts.push(text);
      length += text.length;
    }
    await setImmediate();
  }
  const notes = [
    ...(more > 0 ? [`${more} more files differ.`] : []),
    ...(uncompared > 0 ? [`The lines of ${uncompared} files were not compared: there is too much in all.`] : []),
    ...(unshown > 0 ? [`The diff leaves out ${unshown} files: it would be too long.`] : []),
  ];
  return { from, to, files, ...(withText ? { diff: texts.join("") } : {}), truncated: notes.length > 0, notes };
}

async function* leaves(store: CheckpointStore, sessionId: string, number: number): AsyncGenerator<Leaf, void, void> {
  for await (const entry of checkpointEntries(store, sessionId, number)) if (entry.type !== "directory") yield entry;
}

/** Both are in the order of their paths' bytes: neither is held. */
async function* changesBetween(from: AsyncGenerator<Leaf>, to: AsyncGenerator<Leaf>): AsyncGenerator<Change> {
  const next = async (leaves: AsyncGenerator<Leaf>) => (await leaves.next()).value as Leaf | undefined;
  let before = await next(from);
  let after = await next(to);
  while (before || after) {
    const order = !before ? 1 : !after ? -1 : Buffer.compare(pathBytesOf(before), pathBytesOf(after));
    if (order !== 0 || !isSame(before!, after!)) {
      yield { before: order <= 0 ? before : undefined, after: order >= 0 ? after : undefined };
    }
    if (order <= 0) before = await next(from);
    if (order >= 0) after = await next(to);
  }
}

function isSame(a: Leaf, b: Leaf): boolean {
  if (a.type === "file" && b.type === "file") return a.hash === b.hash && a.mode === b.mode;
  return a.type === "symlink" && b.type === "symlink" && a.target === b.target && a.targetBytes === b.targetBytes;
}

/** A file that is gone and one that is new with the same content are one that was renamed. */
function withRenames(changes: readonly Change[]): Change[] {
  const gone = new Map<string, Leaf>();
  for (const { before, after } of changes) {
    if (!after && before?.type === "file" && before.size > 0) gone.set(before.hash, before);
  }
  const renamed = new Set<Leaf>();
  const paired = changes.map((change) => {
    const { before, after } = change;
    const old = !before && after?.type === "file" ? gone.get(after.hash) : undefined;
    if (!old) return change;
    gone.delete((old as { hash: string }).hash);
    renamed.add(old);
    return { before: old, after };
  });
  return paired.filter(({ before, after }) => after || !renamed.has(before!));
}

function named({ before, after }: Change): Pick<FileChange, "path" | "oldPath" | "status"> {
  if (!before) return { path: after!.path, status: "added" };
  if (!after) return { path: before.path, status: "deleted" };
  if (isSamePath(before, after)) return { path: after.path, status: "modified" };
  return { path: after.path, oldPath: before.path, status: "renamed" };
}

/** Lines of hunks, which come after a line that begins with `@@`. */
function counted(text: string): Pick<FileChange, "additions" | "deletions"> {
  let additions = 0;
  let deletions = 0;
  let isHunk = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("diff --git ")) isHunk = false;
    else if (line.startsWith("@@ ")) isHunk = true;
    else if (isHunk && line.startsWith("+")) additions += 1;
    else if (isHunk && line.startsWith("-")) deletions += 1;
  }
  return { additions, deletions };
}

/** What has to be read to compare them by lines; nothing where they have the same content or one is too long. */
function comparedBytesOf({ before, after }: Change): number {
  if (isLong(before) || isLong(after) || hasSameContent({ before, after })) return 0;
  return sizeOf(before) + sizeOf(after);
}

function sizeOf(leaf: Leaf | undefined): number {
  return leaf?.type === "file" ? leaf.size : 0;
}

function isLong(leaf: Leaf | undefined): boolean {
  return sizeOf(leaf) > smallBlobBytes;
}

/** Undefined where one of them is no text, or a long one. */
async function textsOf(store: CheckpointStore, change: Change): Promise<Texts | undefined> {
  const { before, after } = change;
  if (hasSameContent(change)) return { before: "", after: "" };
  if (isLong(before) || isLong(after)) return undefined;
  const [a, b] = [await textOf(store, before), await textOf(store, after)];
  return a === undefined || b === undefined ? undefined : { before: a, after: b };
}

async function textOf(store: CheckpointStore, leaf: Leaf | undefined): Promise<string | undefined> {
  if (!leaf) return "";
  if (leaf.type === "symlink") return leaf.targetBytes === undefined ? leaf.target : undefined;
  const bytes = (await store.blobs([leaf.hash])).get(leaf.hash);
  return bytes && isUtf8(bytes) && !bytes.includes(0) ? Buffer.from(bytes).toString("utf8") : undefined;
}

/** As git writes it: a file that became a symlink is one that went and one that came. */
function textOfChange(change: Change, texts: Texts): string {
  const { before, after } = change;
  if (before && after && before.type !== after.type) {
    const gone = textOfChange({ before, after: undefined }, { before: texts.before, after: "" });
    return `${gone}${textOfChange({ before: undefined, after }, { before: "", after: texts.after })}`;
  }
  const header = headerOf(change);
  return header.length === 0 ? "" : `${header.join("\n")}\n${hunksBetween(texts.before, texts.after)}`;
}

/** The lines before the hunks; none where all that differs is what git does not tell, such as who may read a file. */
function headerOf(change: Change): string[] {
  const { before, after } = change;
  const [a, b] = [quoted("a/", (before ?? after)!), quoted("b/", (after ?? before)!)];
  const [from, to] = [modeOf(before), modeOf(after)];
  const isRenamed = before && after && !isSamePath(before, after);
  const hasLines = !hasSameContent(change) && sizeOfText(before) + sizeOfText(after) > 0;
  const lines = [
    ...(from === undefined ? [`new file mode ${to}`] : []),
    ...(to === undefined ? [`deleted file mode ${from}`] : []),
    ...(from !== undefined && to !== undefined && from !== to ? [`old mode ${from}`, `new mode ${to}`] : []),
    ...(isRenamed ? [`rename from ${quoted("", before)}`, `rename to ${quoted("", after)}`] : []),
    ...(hasLines ? [`--- ${before ? a : "/dev/null"}`, `+++ ${after ? b : "/dev/null"}`] : []),
  ];
  return lines.length === 0 ? [] : [`diff --git ${a} ${b}`, ...lines];
}

function hasSameContent({ before, after }: Change): boolean {
  return before?.type === after?.type && contentOf(before) === contentOf(after);
}

function sizeOfText(leaf: Leaf | undefined): number {
  return leaf?.type === "symlink" ? leaf.target.length : sizeOf(leaf);
}

function isSamePath(a: Leaf, b: Leaf): boolean {
  return Buffer.compare(pathBytesOf(a), pathBytesOf(b)) === 0;
}

function contentOf(leaf: Leaf | undefined): string {
  return leaf?.type === "file" ? leaf.hash : (leaf?.targetBytes ?? leaf?.target ?? "");
}

function modeOf(leaf: Leaf | undefined): string | undefined {
  if (!leaf) return undefined;
  if (leaf.type === "symlink") return "120000";
  return leaf.mode & 0o100 ? "100755" : "100644";
}

/** A name is a sandbox's: one with a line break must not become a line of the diff. Git's way for other bytes is octal. */
function quoted(side: string, leaf: Leaf): string {
  const bytes = pathBytesOf(leaf);
  const isPlain = leaf.pathBytes === undefined && bytes.every((byte) => byte >= 0x20 && !special.has(byte));
  if (isPlain) return `${side}${leaf.path}`;
  const escaped = [...bytes].map((byte) => {
    if (byte >= 0x20 && byte < 0x7f && !special.has(byte)) return String.fromCharCode(byte);
    return `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${side}${escaped.join("")}"`;
}

/** A quote, a backslash, delete. */
const special = new Set([0x22, 0x5c, 0x7f]);
