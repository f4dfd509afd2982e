import { appendFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readRegularText } from "@sandbox-agent-ts/agents";
import type { FileChange } from "@sandbox-agent-ts/protocol";
import { listChanged } from "./list-changed.ts";
import { GitFailure, type GitOutput, runGit } from "./run-git.ts";
import { cutPatch, parseTreeChanges } from "./tree-changes.ts";
import { prepareWorkTree, type WorkTree } from "./work-tree.ts";

const captureLimitMs = 5_000;
const compareLimitMs = 10_000;
/** How long a directory that was too much is left alone. */
const giveUpForMs = 600_000;
const maxListBytes = 32 * 1024 * 1024;

export interface Snapshot {
  /** Git's name of the tree that holds every file as it was. */
  readonly tree: string;
  /** When it was begun, epoch milliseconds. */
  readonly time: number;
  readonly notes: readonly string[];
}

export interface Comparison {
  readonly files: FileChange[];
  /** Absent when it was not asked for. */
  readonly patch: Buffer | undefined;
  readonly notes: readonly string[];
  readonly truncated: boolean;
}

export interface ComparisonOptions {
  readonly path: string | undefined;
  readonly text: boolean;
  readonly maxFiles: number;
  readonly maxPatchBytes: number;
}

export interface DirectorySnapshotsOptions {
  readonly directory: string;
  /** Where everything about it is kept; made when it is needed. */
  readonly folder: string;
  readonly hidden: readonly string[];
  readonly home: string;
  readonly path: string;
  readonly closing: AbortSignal;
  /** Runs the work when there is room for it. */
  readonly admit: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * How the files of one directory were at moments in time, kept as git trees in a git directory of our own. One capture
 * runs at a time; those that ask meanwhile share the next one.
 */
export class DirectorySnapshots {
  readonly #options: DirectorySnapshotsOptions;
  readonly #gitDir: string;
  #workTree: Promise<WorkTree> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #next: Promise<Snapshot> | undefined;
  readonly #owners = new Set<string>();
  #gaveUp: { until: number; failure: GitFailure } | undefined;

  constructor(options: DirectorySnapshotsOptions) {
    this.#options = options;
    this.#gitDir = join(options.folder, "git");
  }

  /** What a session keeps about this directory. While it is there, nothing that is named in it is forgotten. */
  ownerFile(owner: string): string {
    return join(this.#options.folder, "sessions", `${owner}.jsonl`);
  }

  /**
   * The files as they are now; an owner's file is there before. Rejects with a `GitFailure` whose sentence says why that
   * cannot be told.
   */
  capture(owner?: string): Promise<Snapshot> {
    if (owner !== undefined) this.#owners.add(owner);
    this.#next ??= this.#enqueue(async () => {
      this.#next = undefined;
      const owners = [...this.#owners];
      this.#owners.clear();
      await mkdir(this.#sessionsFolder, { recursive: true, mode: 0o700 });
      await Promise.all(owners.map((name) => appendFile(this.ownerFile(name), "")));
      return this.#capture();
    });
    return this.#next;
  }

  async source(): Promise<WorkTree["source"]> {
    return (await this.#prepared(this.#deadline(captureLimitMs))).source;
  }

  compare(base: string, now: string, options: ComparisonOptions): Promise<Comparison> {
    return this.#options.admit(() => this.#compare(base, now, options));
  }

  /** Forget what no session needs any more; everything, when none is left. */
  release(): Promise<void> {
    return this.#enqueue(async () => {
      const names = await readdir(this.#sessionsFolder).catch(() => []);
      if (names.length === 0) {
        this.#workTree = undefined;
        await rm(this.#options.folder, { recursive: true, force: true });
        return;
      }
      const texts = await Promise.all(names.map((name) => readRegularText(join(this.#sessionsFolder, name))));
      const trees = texts.flatMap((text) => Array.from(text.matchAll(/"tree":"(\w+)"/g), ([, tree = ""]) => tree));
      // What is younger may belong to a snapshot or comparison that is not in a file.
      const prune = ["prune", "--expire=10.minutes.ago", ...new Set(trees)];
      await this.#git(prune, this.#deadline(compareLimitMs)).catch(() => {});
    });
  }

  get #sessionsFolder(): string {
    return join(this.#options.folder, "sessions");
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(() => this.#options.admit(work));
    this.#queue = result.catch(() => {});
    return result;
  }

  async #capture(): Promise<Snapshot> {
    if (this.#gaveUp && Date.now() < this.#gaveUp.until) throw this.#gaveUp.failure;
    const deadline = this.#deadline(captureLimitMs);
    try {
      // A file that changes while it is read makes git give up.
      return await this.#captureOnce(deadline).catch(() => this.#captureOnce(deadline));
    } catch (error) {
      throw this.#giveUp(error);
    }
  }

  #giveUp(error: unknown): GitFailure {
    const { closing } = this.#options;
    const seconds = captureLimitMs / 1000;
    const isLate = error instanceof DOMException || (error instanceof GitFailure && error.kind === "timeout");
    const failure = isLate
      ? new GitFailure("timeout", `Looking at all files takes longer than ${seconds} s.`)
      : error instanceof GitFailure
        ? error
        : new GitFailure("failed", error instanceof Error ? error.message : String(error));
    if (!closing.aborted) this.#gaveUp = { until: Date.now() + giveUpForMs, failure };
    return failure;
  }

  async #captureOnce(deadline: AbortSignal): Promise<Snapshot> {
    const time = Date.now();
    const { top } = await this.#prepared(deadline);
    const { directory } = this.#options;
    // Left by a git that was killed; nobody else uses this index.
    await rm(join(this.#gitDir, "index.lock"), { force: true });
    await this.#git(["-C", top, "update-index", "-q", "--unmerged", "--refresh"], deadline).catch(() => {});
    const { update, remove, notes } = await listChanged(top, async (nested) => {
      const output = await (nested === undefined
        ? this.#git(["-C", directory, "ls-files", "--full-name", "-omd", ...listOptions], deadline)
        : this.#git(["-C", join(top, nested), "ls-files", "-o", ...listOptions], deadline, {
            GIT_WORK_TREE: join(top, nested),
            GIT_INDEX_FILE: join(this.#gitDir, "no-index"),
          }));
      if (output.truncated) throw new GitFailure("failed", "There are too many files to compare.");
      return namesIn(output.bytes).map((name) => (nested ?? "") + name);
    });
    const updateIndex = (paths: readonly string[], ...options: string[]) =>
      paths.length === 0
        ? undefined
        : this.#git(["-C", top, "update-index", ...options, "-z", "--stdin"], deadline, {}, paths.join("\0"));
    await updateIndex(remove, "--force-remove");
    await updateIndex(update, "--add", "--remove", "--replace");
    const { bytes } = await this.#git(["write-tree", "--missing-ok"], deadline);
    return { tree: bytes.toString("utf8").trim(), time, notes };
  }

  async #compare(base: string, now: string, options: ComparisonOptions): Promise<Comparison> {
    if (base === now)
      return { files: [], patch: options.text ? Buffer.alloc(0) : undefined, notes: [], truncated: false };
    const deadline = this.#deadline(compareLimitMs);
    const { directory } = this.#options;
    const trees = ["-C", directory, "diff-tree", "-r", "-M", "-l400", "--relative", "--no-ext-diff", "--no-textconv"];
    const where = [base, now, "--", ...(options.path === undefined ? [] : [options.path])];
    const listed = await this.#git([...trees, "-z", "--raw", "--numstat", ...where], deadline);
    const files = parseTreeChanges(listed.bytes);
    const notes: string[] = [];
    if (files.length > options.maxFiles || listed.truncated) {
      notes.push(`The list has the first ${options.maxFiles} of ${files.length} files.`);
    }
    const patch = options.text
      ? await this.#patch([...trees, "-p", ...where], options.maxPatchBytes, deadline)
      : undefined;
    if (patch?.truncated)
      notes.push(`The diff is cut after ${patch.bytes.length} bytes; ask for single files by path.`);
    return {
      files: files.slice(0, options.maxFiles),
      patch: patch?.bytes,
      notes,
      truncated: notes.length > 0,
    };
  }

  async #patch(args: readonly string[], maxBytes: number, deadline: AbortSignal): Promise<GitOutput> {
    const { bytes, truncated } = await this.#git(args, deadline, {}, undefined, maxBytes + 1);
    return truncated || bytes.length > maxBytes
      ? { bytes: cutPatch(bytes, maxBytes), truncated: true }
      : { bytes, truncated };
  }

  #prepared(deadline: AbortSignal): Promise<WorkTree> {
    this.#workTree ??= this.#prepare(deadline).catch((error: unknown) => {
      this.#workTree = undefined;
      throw error;
    });
    return this.#workTree;
  }

  async #prepare(deadline: AbortSignal): Promise<WorkTree> {
    const { directory, folder, hidden, home } = this.#options;
    if (home !== directory && home.startsWith(directory === "/" ? directory : `${directory}/`)) {
      throw new GitFailure("failed", `${directory} is too much to compare: it holds home directories.`);
    }
    const record = join(folder, "work-tree.json");
    const known = await readRegularText(record).catch(() => undefined);
    if (known !== undefined) return JSON.parse(known) as WorkTree;
    await rm(this.#gitDir, { recursive: true, force: true });
    await mkdir(dirname(this.#gitDir), { recursive: true, mode: 0o700 });
    const env = this.#environment();
    const workTree = await prepareWorkTree({ directory, gitDir: this.#gitDir, hidden, home, env, deadline });
    await writeFile(record, JSON.stringify(workTree));
    return workTree;
  }

  async #git(
    args: readonly string[],
    deadline: AbortSignal,
    env: Readonly<Record<string, string>> = {},
    input?: string,
    maxOutputBytes = maxListBytes,
  ): Promise<GitOutput> {
    const { top } = await this.#prepared(deadline);
    const ours = { GIT_DIR: this.#gitDir, GIT_WORK_TREE: top, GIT_INDEX_FILE: join(this.#gitDir, "index") };
    return runGit({
      args,
      env: { ...this.#environment(), ...ours, ...env },
      deadline,
      maxOutputBytes,
      ...(input === undefined ? {} : { input }),
    });
  }

  /** Nothing of the user's or the machine's configuration, of which parts would be programs to run. */
  #environment(): Record<string, string> {
    return {
      PATH: this.#options.path,
      HOME: this.#gitDir,
      XDG_CONFIG_HOME: this.#gitDir,
      LC_ALL: "C",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_ATTR_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      GIT_LITERAL_PATHSPECS: "1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
    };
  }

  #deadline(ms: number): AbortSignal {
    return AbortSignal.any([this.#options.closing, AbortSignal.timeout(ms)]);
  }
}

const listOptions = ["-z", "--exclude-standard"];

function namesIn(output: Buffer): string[] {
  return output.toString("utf8").split("\0").slice(0, -1);
}
