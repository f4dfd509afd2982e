import { createHash } from "node:crypto";
import { closeSync, lstatSync, readlinkSync, type Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { LeftOutReason } from "@sandbox-agent-ts/protocol";
import { errnoOf } from "../files/fs-problem.ts";
import { isTemporaryName } from "../files/write-file.ts";
import { type FileName, fileName, joined, keyOf, written } from "./file-name.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { KnownDirectory, type KnownEntry, Version } from "./known-tree.ts";
import { isDependencyFolder, isSecretName } from "./left-out-names.ts";
import type { OpenDirectory } from "./open-directory.ts";
import { hashContent, openRegular, readWhole } from "./read-content.ts";
import type { ScanOptions } from "./scan-options.ts";

const permissionBits = 0o777;
/** Each level holds a descriptor. */
const maxDepth = 128;
/** What Linux takes in one call: a longer path could be listed, and used by nobody. */
const maxPathBytes = 4096;
const maxIgnoreFileBytes = 256 * 1024;
/** Others get their turn after so long. */
const sliceMs = 20;
const maxLeftOutLines = 1_000;
const repositoryFolder = ".git";

export interface ScannedTree {
  /** Of the manifest, each with its newline. */
  readonly lines: readonly string[];
  /** The same for the same lines, and for no others. */
  readonly tag: string;
}

interface Described {
  readonly size: number;
  readonly line: string;
}

/** Looks at everything in a directory, from what is known of it, and brings that up to date. */
export class TreeScan {
  readonly #options: ScanOptions;
  readonly #lines: string[] = [];
  readonly #leftOutLines: string[] = [];
  readonly #leftOut: Partial<Record<LeftOutReason, number>> = {};
  #bytes = 0;
  #sliceEnds = performance.now() + sliceMs;

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  async run(root: OpenDirectory, known: KnownDirectory, before: ScannedTree | undefined): Promise<ScannedTree> {
    const rules = this.#options.ignored ? undefined : new IgnoreRules();
    const stats = lstatSync(root.at("."));
    // The rules above the top are none, and the same none as long as the tree is known.
    await this.#visit(
      { directory: root, path: "", depth: 0, stats },
      known,
      rules && (known.rulesFrom?.above ?? rules),
    );
    const { length: entries } = this.#lines;
    const end = JSON.stringify({ type: "end", entries, bytes: this.#bytes, leftOut: this.#leftOut });
    const lines = [...this.#lines, ...this.#leftOutLines, `${end}\n`];
    if (before && isSame(before.lines, lines)) return before;
    const hash = createHash("sha256");
    for (const line of lines) hash.update(line);
    return { lines, tag: hash.digest("hex") };
  }

  async #visit(
    { directory, path, depth, stats }: { directory: OpenDirectory; path: FileName; depth: number; stats: Stats },
    known: KnownDirectory,
    above: IgnoreRules | undefined,
  ): Promise<void> {
    if (!known.version?.isStill(stats)) {
      known.version = new Version(stats, Date.now());
      known.names = sorted(directory.names());
      known.keep(new Set(known.names.map(keyOf)));
    }
    const rules = above && this.#rulesIn(directory, path, known, above);
    for (const name of known.names) {
      if (performance.now() > this.#sliceEnds) {
        await setImmediate();
        this.#sliceEnds = performance.now() + sliceMs;
      }
      const same = this.#unchanged(directory, name, known, rules);
      if (same) {
        this.#add(same.size, same.line);
        continue;
      }
      const at = directory.at(name);
      const found = lstatSync(at, { throwIfNoEntry: false });
      if (!found || (typeof name === "string" && isTemporaryName(name))) continue;
      const inner = joined(path, name);
      const reason = this.#reasonOf(name, inner, found, known, rules);
      if (reason) this.#leaveOut(inner, reason, found);
      else if (found.isDirectory())
        await this.#enter({ directory, name, path: inner, depth, stats: found }, known, rules);
      else await this.#take(at, keyOf(name), inner, found, known);
    }
  }

  /** What is known of a file or symlink, where that still holds and is still wanted. */
  #unchanged(
    directory: OpenDirectory,
    name: FileName,
    known: KnownDirectory,
    rules: IgnoreRules | undefined,
  ): KnownEntry | undefined {
    const before = known.entries.get(keyOf(name));
    if (!before || (rules && known.ignored.get(keyOf(name)) !== false) || !this.#hasRoomFor(before.size))
      return undefined;
    const glance = directory.glance(name);
    return glance && before.version.isStill(glance) ? before : undefined;
  }

  #hasRoomFor(size: number): boolean {
    const { maxEntries, maxBytes } = this.#options;
    return this.#lines.length < maxEntries && this.#bytes + size <= maxBytes;
  }

  #reasonOf(
    name: FileName,
    path: FileName,
    found: Stats,
    known: KnownDirectory,
    rules: IgnoreRules | undefined,
  ): LeftOutReason | undefined {
    const isDirectory = found.isDirectory();
    if (isTooLong(path)) return "too_deep";
    if (!isDirectory && !found.isFile() && !found.isSymbolicLink()) return "special";
    if (found.isFile() && found.size > this.#options.maxFileBytes) return "too_large";
    if (typeof name !== "string") return undefined;
    if (!this.#options.ignored && isDirectory && isDependencyFolder(name)) return "dependency";
    if (!this.#options.secrets && isSecretName(name)) return "secret";
    if (!rules || typeof path !== "string") return undefined;
    const key = isDirectory ? `${name}/` : name;
    const cached = known.ignored.get(key);
    const isIgnored = cached ?? (name !== repositoryFolder && rules.ignores(path, isDirectory));
    if (cached === undefined) known.ignored.set(key, isIgnored);
    return isIgnored ? "ignored" : undefined;
  }

  /** The rules that hold in a directory: the same object as long as they are the same. */
  #rulesIn(directory: OpenDirectory, path: FileName, known: KnownDirectory, above: IgnoreRules): IgnoreRules {
    const stats = known.names.includes(".gitignore")
      ? lstatSync(directory.at(".gitignore"), { throwIfNoEntry: false })
      : undefined;
    const { rulesFrom } = known;
    const isSame = rulesFrom?.above === above && (stats ? rulesFrom.version?.isStill(stats) : !rulesFrom.version);
    if (isSame) return known.rules;
    const text = stats?.isFile() ? ignoreText(directory.at(".gitignore")) : undefined;
    known.rules = text === undefined ? above : above.below(path.toString(), text);
    known.rulesFrom = { above, version: stats && new Version(stats, Date.now()) };
    known.ignored.clear();
    return known.rules;
  }

  async #enter(
    child: { directory: OpenDirectory; name: FileName; path: FileName; depth: number; stats: Stats },
    parent: KnownDirectory,
    rules: IgnoreRules | undefined,
  ): Promise<void> {
    const { directory, name, path, depth, stats } = child;
    if (depth + 1 > maxDepth) return this.#leaveOut(path, "too_deep", stats);
    if (this.#lines.length >= this.#options.maxEntries) return this.#leaveOut(path, "limit", stats);
    let inner: OpenDirectory;
    try {
      inner = directory.child(name);
    } catch (error) {
      return this.#unreadable(path, stats, error);
    }
    try {
      const key = keyOf(name);
      const known = parent.directories.get(key) ?? new KnownDirectory();
      parent.directories.set(key, known);
      if (!known.version?.isStill(stats)) {
        const line = lineOf({ type: "directory", ...written(path), mode: stats.mode & permissionBits });
        if (line !== known.line) known.line = line;
      }
      this.#lines.push(known.line);
      // A repository's own folder has no rules, not even those above it.
      const own = name === repositoryFolder ? undefined : rules;
      await this.#visit({ directory: inner, path, depth: depth + 1, stats }, known, own);
    } catch (error) {
      this.#unreadable(path, stats, error);
    } finally {
      inner.close();
    }
  }

  async #take(at: string | Buffer, key: string, path: FileName, found: Stats, known: KnownDirectory): Promise<void> {
    if (!this.#hasRoomFor(found.isFile() ? found.size : 0)) return this.#leaveOut(path, "limit", found);
    const before = known.entries.get(key);
    if (before?.version.isStill(found)) return this.#add(before.size, before.line);
    try {
      const readAt = Date.now();
      const described = await (found.isFile() ? this.#describeFile(at, path, found) : describeLink(at, path));
      if (typeof described === "string") return this.#leaveOut(path, described, found);
      const version = new Version(found, readAt);
      const line = before?.line === described.line ? before.line : described.line;
      known.entries.set(key, { version, size: described.size, line });
      this.#add(described.size, line);
    } catch (error) {
      this.#unreadable(path, found, error);
    }
  }

  async #describeFile(at: string | Buffer, path: FileName, found: Stats): Promise<Described | LeftOutReason> {
    const hashed = await hashContent(at, this.#options.maxFileBytes);
    if (hashed === "too_large") return "too_large";
    if (hashed === undefined) return "special";
    // Whole seconds: what an archive keeps of it, so that a tree that was restored is the same one.
    const mtime = Math.floor(found.mtimeMs / 1000) * 1000;
    const line = lineOf({ type: "file", ...written(path), mode: found.mode & permissionBits, mtime, ...hashed });
    return { size: hashed.size, line };
  }

  #add(size: number, line: string): void {
    this.#lines.push(line);
    this.#bytes += size;
  }

  #leaveOut(path: FileName, reason: LeftOutReason, stats: Stats): void {
    this.#leftOut[reason] = (this.#leftOut[reason] ?? 0) + 1;
    if (this.#leftOutLines.length >= maxLeftOutLines) return;
    const size = stats.isFile() ? { size: stats.size } : {};
    this.#leftOutLines.push(lineOf({ type: "left_out", ...written(path), reason, ...size }));
  }

  /** What went away meanwhile is not there. */
  #unreadable(path: FileName, stats: Stats, error: unknown): void {
    if (errnoOf(error) === undefined) throw error;
    if (errnoOf(error) !== "ENOENT") this.#leaveOut(path, "unreadable", stats);
  }
}

/** A character is three bytes at most. */
function isTooLong(path: FileName): boolean {
  return path.length * 3 > maxPathBytes && Buffer.byteLength(path) > maxPathBytes;
}

function describeLink(at: string | Buffer, path: FileName): Described {
  const { path: target, pathBytes: targetBytes } = written(fileName(readlinkSync(at, { encoding: "buffer" })));
  const bytes = targetBytes === undefined ? {} : { targetBytes };
  return { size: 0, line: lineOf({ type: "symlink", ...written(path), target, ...bytes }) };
}

function lineOf(line: object): string {
  return `${JSON.stringify(line)}\n`;
}

/** What a `.gitignore` says; undefined where it is no regular file. */
export function ignoreText(path: string | Buffer): string | undefined {
  const opened = openRegular(path);
  if (!opened) return undefined;
  try {
    return readWhole(opened.fd, opened.stats.size, maxIgnoreFileBytes).toString("utf8", 0, maxIgnoreFileBytes);
  } finally {
    closeSync(opened.fd);
  }
}

function sorted(names: FileName[]): FileName[] {
  return names.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
