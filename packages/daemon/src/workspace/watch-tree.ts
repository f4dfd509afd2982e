import { type FSWatcher, lstatSync, type Stats, watch } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { errnoOf } from "../files/fs-problem.ts";
import { isTemporaryName } from "../files/write-file.ts";
import { DirectoryChain } from "./directory-chain.ts";
import { type FileName, joined, keyOf } from "./file-name.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { isDependencyFolder, isSecretName } from "./left-out-names.ts";
import type { OpenDirectory } from "./open-directory.ts";
import type { PendingChanges } from "./pending-changes.ts";
import { ignoreText } from "./scan-tree.ts";

export interface WatchLimits {
  /** Directories that the system tells us about; others are looked at from time to time. */
  readonly watched: number;
  /** Entries whose changes are told one by one. */
  readonly entries: number;
  readonly coalesceMs: number;
  /** Between two looks at directories that are not watched. */
  readonly pollMs: number;
  /** Between two looks at everything: the system drops what it cannot queue, without a word. */
  readonly auditMs: number;
}

export const watchLimits: WatchLimits = {
  watched: 8_192,
  entries: 200_000,
  coalesceMs: 50,
  pollMs: 2_000,
  auditMs: 60_000,
};

const maxDepth = 128;
/** Others get their turn after so long. */
const sliceMs = 20;

interface Seen {
  readonly name: FileName;
  readonly kind: "file" | "directory" | "symlink";
  readonly version: string;
}

interface Node {
  readonly path: FileName;
  readonly names: readonly FileName[];
  readonly parent: Node | undefined;
  readonly seen: Map<string, Seen>;
  readonly children: Map<string, Node>;
  watcher: FSWatcher | undefined;
  rules: IgnoreRules;
  rulesFrom: { readonly above: IgnoreRules; readonly version: string } | undefined;
  isGone: boolean;
}

/**
 * Tells what is created, modified and deleted below a directory, but for what a manifest leaves out by default and what git
 * keeps for itself. A directory of which the system says that something happened is looked at again and compared with what
 * was seen there: what was told wrongly, twice or in a strange order does not matter, and a new directory is watched before
 * it is looked at. Watching takes one descriptor for all directories.
 */
export class TreeWatch {
  readonly #chain: DirectoryChain;
  readonly #pending: PendingChanges;
  readonly #limits: WatchLimits;
  readonly #dirty = new Set<Node>();
  readonly #unwatched = new Set<Node>();
  readonly #nodes = new Set<Node>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #top: Node = newNode([], "", undefined);
  #entries = 0;
  #watched = 0;
  #isTelling = false;
  #isClosed = false;
  #flushing: Promise<void> | undefined;
  #flushTimer: NodeJS.Timeout | undefined;

  constructor(root: OpenDirectory, pending: PendingChanges, limits: WatchLimits) {
    this.#chain = new DirectoryChain(root);
    this.#pending = pending;
    this.#limits = limits;
  }

  /** Resolves when everything that happens from now on will be told. */
  async start(): Promise<void> {
    this.#nodes.add(this.#top);
    this.#dirty.add(this.#top);
    await this.#lookAtDirty();
    this.#isTelling = true;
    const again = (nodes: Set<Node>) => () => {
      for (const node of nodes) this.#dirty.add(node);
      if (nodes.size > 0) this.#soon();
    };
    this.#timers.push(
      setInterval(again(this.#unwatched), this.#limits.pollMs).unref(),
      setInterval(again(this.#nodes), this.#limits.auditMs).unref(),
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#flushTimer);
    for (const { watcher } of this.#nodes) watcher?.close();
    await this.#flushing;
    this.#chain.close();
  }

  #soon(): void {
    if (this.#isClosed || this.#flushTimer || this.#flushing) return;
    this.#flushTimer = setTimeout(() => {
      this.#flushTimer = undefined;
      this.#flushing = this.#lookAtDirty()
        .catch(() => this.#pending.overflow())
        .finally(() => {
          this.#flushing = undefined;
          if (this.#dirty.size > 0) this.#soon();
        });
    }, this.#limits.coalesceMs).unref();
  }

  async #lookAtDirty(): Promise<void> {
    let sliceEnds = performance.now() + sliceMs;
    for (const node of this.#dirty) {
      if (this.#isClosed) return;
      this.#dirty.delete(node);
      if (!node.isGone) this.#look(node);
      if (performance.now() < sliceEnds) continue;
      await setImmediate();
      sliceEnds = performance.now() + sliceMs;
    }
  }

  #look(node: Node): void {
    let directory: OpenDirectory;
    let names: readonly FileName[];
    try {
      directory = this.#chain.enter(node.names, "refuse");
      // Before its names are read: what comes later is told.
      if (!node.watcher) this.#watch(node, directory);
      names = directory.names();
    } catch (error) {
      // Its parent is looked at, too, and finds that it is gone.
      if (errnoOf(error) === undefined || node === this.#top) this.#pending.overflow();
      return;
    }
    const rules = this.#rulesIn(node, directory);
    const there = new Set<string>();
    for (const name of names) {
      const stats = lstatSync(directory.at(name), { throwIfNoEntry: false });
      const path = joined(node.path, name);
      const kind = stats && kindOf(stats);
      if (!stats || !kind || isLeftOut(name, path, kind === "directory", rules)) continue;
      const key = keyOf(name);
      there.add(key);
      this.#see(node, { key, name, path, kind, version: versionOf(stats) });
    }
    for (const key of [...node.seen.keys()].filter((known) => !there.has(known))) this.#drop(node, key);
  }

  #see(node: Node, found: Seen & { readonly key: string; readonly path: FileName }): void {
    const { key, name, path, kind, version } = found;
    const before = node.seen.get(key);
    if (before && before.kind !== kind) this.#drop(node, key);
    const known = node.seen.get(key);
    if (!known && this.#entries >= this.#limits.entries) {
      if (this.#isTelling) this.#pending.overflow();
      return;
    }
    if (!known) this.#entries += 1;
    node.seen.set(key, { name, kind, version });
    if (!known) this.#tell("created", path, kind);
    else if (known.version !== version && kind !== "directory") this.#tell("modified", path, kind);
    if (kind === "directory" && !node.children.has(key)) this.#adopt(node, key, name, path);
  }

  #adopt(node: Node, key: string, name: FileName, path: FileName): void {
    if (node.names.length >= maxDepth) return;
    const child = newNode([...node.names, name], path, node);
    node.children.set(key, child);
    this.#nodes.add(child);
    this.#dirty.add(child);
  }

  #drop(node: Node, key: string): void {
    const gone = node.seen.get(key);
    const child = node.children.get(key);
    if (child) this.#forget(child);
    node.children.delete(key);
    if (!gone || !node.seen.delete(key)) return;
    this.#entries -= 1;
    this.#tell("deleted", joined(node.path, gone.name), gone.kind);
  }

  #forget(node: Node): void {
    for (const key of [...node.seen.keys()]) this.#drop(node, key);
    node.isGone = true;
    if (node.watcher) this.#watched -= 1;
    node.watcher?.close();
    node.watcher = undefined;
    this.#nodes.delete(node);
    this.#unwatched.delete(node);
  }

  #watch(node: Node, directory: OpenDirectory): void {
    if (this.#watched >= this.#limits.watched) return void this.#unwatched.add(node);
    try {
      const watcher = watch(directory.at("."), { persistent: false }, () => {
        this.#dirty.add(node);
        this.#soon();
      });
      watcher.on("error", () => this.#unwatch(node));
      node.watcher = watcher;
      this.#watched += 1;
      this.#unwatched.delete(node);
    } catch {
      // The system allows no more.
      this.#unwatched.add(node);
    }
  }

  #unwatch(node: Node): void {
    if (!node.watcher) return;
    node.watcher.close();
    node.watcher = undefined;
    this.#watched -= 1;
    if (!node.isGone) this.#unwatched.add(node);
  }

  #rulesIn(node: Node, directory: OpenDirectory): IgnoreRules {
    const above = node.parent?.rules ?? noRules;
    const stats = lstatSync(directory.at(".gitignore"), { throwIfNoEntry: false });
    const version = stats?.isFile() ? versionOf(stats) : "";
    if (node.rulesFrom?.above === above && node.rulesFrom.version === version) return node.rules;
    const text = version === "" ? undefined : ignoreText(directory.at(".gitignore"));
    node.rules = text === undefined ? above : above.below(node.path.toString(), text);
    node.rulesFrom = { above, version };
    for (const child of node.children.values()) this.#dirty.add(child);
    return node.rules;
  }

  #tell(type: "created" | "modified" | "deleted", path: FileName, kind: Seen["kind"]): void {
    if (this.#isTelling) this.#pending.add(type, path, kind);
  }
}

const noRules = new IgnoreRules();

function newNode(names: readonly FileName[], path: FileName, parent: Node | undefined): Node {
  return {
    names,
    path,
    parent,
    seen: new Map(),
    children: new Map(),
    watcher: undefined,
    rules: noRules,
    rulesFrom: undefined,
    isGone: false,
  };
}

function kindOf(stats: Stats): Seen["kind"] | undefined {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "symlink" : undefined;
}

function versionOf({ size, mtimeMs, ctimeMs, ino, mode }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino} ${mode}`;
}

function isLeftOut(name: FileName, path: FileName, isDirectory: boolean, rules: IgnoreRules): boolean {
  if (typeof name !== "string") return false;
  if (isTemporaryName(name) || isSecretName(name)) return true;
  if (isDirectory && (name === ".git" || isDependencyFolder(name))) return true;
  return typeof path === "string" && rules.ignores(path, isDirectory);
}
