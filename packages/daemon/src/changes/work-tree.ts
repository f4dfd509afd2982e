import { copyFile, mkdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { readRegularText } from "@sandbox-agent-ts/agents";
import { GitFailure, runGit } from "./run-git.ts";

/** Where the files of a session's directory are looked at from. */
export interface WorkTree {
  /** The repository's root, or the directory itself where it is in none. */
  readonly top: string;
  readonly source: "git" | "snapshot";
}

export interface WorkTreeOptions {
  readonly directory: string;
  /** Where the private git directory is made. */
  readonly gitDir: string;
  /** Directories whose content is never looked at. */
  readonly hidden: readonly string[];
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly deadline: AbortSignal;
}

/** What people do not mean by "my files" in a directory that has no repository to say so. */
const dependencyFolders = ["node_modules/", ".venv/", "__pycache__/"];

/**
 * Make a git directory of our own for somebody's files. Nothing of theirs is run or written: their repository gives its
 * ignore rules, its objects to read, and its index as a start, so that only what differs from it has to be hashed.
 */
export async function prepareWorkTree(options: WorkTreeOptions): Promise<WorkTree> {
  const { directory, gitDir, env, deadline } = options;
  const repository = await findRepository(options);
  const format = repository?.format ?? "sha1";
  await mkdir(gitDir, { recursive: true });
  const git = (args: readonly string[]) => runGit({ args, env, deadline, maxOutputBytes: 10_000 });
  await git(["init", "-q", "--bare", "--template=", `--object-format=${format}`, gitDir]);
  const top = repository?.top ?? directory;
  await mkdir(join(gitDir, "info"), { recursive: true });
  await writeFile(join(gitDir, "config"), configOf(format));
  // Conversions are programs named by a configuration that is not read here.
  await writeFile(join(gitDir, "info", "attributes"), "* -filter -ident -working-tree-encoding\n");
  const excluded = [
    ...(repository ? [await readRegularText(repository.exclude).catch(() => "")] : dependencyFolders),
    ...(!repository && directory === options.home ? ["/.*"] : []),
    ...options.hidden.flatMap((hidden) => anchored(top, hidden)),
  ];
  await writeFile(join(gitDir, "info", "exclude"), `${excluded.join("\n")}\n`);
  if (repository) await borrow(repository, gitDir);
  return { top, source: repository ? "git" : "snapshot" };
}

interface Repository {
  readonly top: string;
  readonly index: string;
  readonly objects: string;
  readonly exclude: string;
  readonly format: string;
}

async function findRepository({ directory, env, deadline }: WorkTreeOptions): Promise<Repository | undefined> {
  const paths = ["index", "objects", "info/exclude"].flatMap((path) => ["--git-path", path]);
  const args = ["-C", directory, "rev-parse", "--show-toplevel", ...paths, "--show-object-format"];
  const found = await runGit({ args, env, deadline, maxOutputBytes: 100_000 }).catch((error: unknown) => {
    if (error instanceof GitFailure && error.kind === "failed") return undefined;
    throw error;
  });
  const lines = found?.bytes.toString("utf8").split("\n").slice(0, -1) ?? [];
  // A path with a newline gives more lines; such a repository is taken as a plain directory.
  if (lines.length !== 5) return undefined;
  const [top = "", index = "", objects = "", exclude = "", format = ""] = lines;
  const isInside = directory === top || directory.startsWith(top.endsWith(sep) ? top : top + sep);
  if (!isInside) return undefined;
  const absolute = (path: string): string => resolve(directory, path);
  return { top, index: absolute(index), objects: absolute(objects), exclude: absolute(exclude), format };
}

async function borrow({ index, objects }: Repository, gitDir: string): Promise<void> {
  const alternates = join(gitDir, "objects", "info", "alternates");
  await mkdir(dirname(alternates), { recursive: true });
  await writeFile(alternates, `${JSON.stringify(objects)}\n`);
  const copy = join(gitDir, "index");
  const found = await stat(index).catch(() => undefined);
  if (!found) return;
  await copyFile(index, copy);
  // Git trusts an entry only if its file is older than the index. An older time makes it look again, never the reverse.
  const time = Math.floor(found.mtimeMs / 1000);
  await utimes(copy, time, time);
}

function configOf(format: string): string {
  const version = format === "sha1" ? "0" : `1\n[extensions]\n\tobjectFormat = ${format}\n[core]`;
  return [
    `[core]\n\trepositoryFormatVersion = ${version}`,
    "\tbare = false\n\tlogAllRefUpdates = false\n\thooksPath = /dev/null\n\tfsmonitor = false\n\tuntrackedCache = false",
    "\tautocrlf = false\n\tsafecrlf = false\n\tquotePath = false\n\tsplitIndex = false\n\tcheckStat = default",
    "[gc]\n\tauto = 0\n[diff]\n\tsubmodule = short\n[submodule]\n\trecurse = false\n",
  ].join("\n");
}

/** An ignore rule for one directory, where it lies below `top`. */
function anchored(top: string, hidden: string): string[] {
  const path = relative(top, hidden);
  if (path === "" || path.startsWith("..") || path.includes("\n")) return [];
  return [
    `/${path
      .split(sep)
      .join("/")
      .replaceAll(/[\\*?[\] ]/g, "\\$&")}/`,
  ];
}
