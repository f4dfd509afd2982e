import type { Stats } from "node:fs";
import { lstat, rename } from "node:fs/promises";
import { type FsMoveResponse, SandboxError } from "@sandbox-agent-ts/protocol";
import { copyTree } from "./copy-tree.ts";
import type { FileAccess } from "./file-access.ts";
import { errnoOf, shown } from "./fs-problem.ts";
import { isInside, refuseRoot } from "./jail.ts";
import { removeTree } from "./remove-tree.ts";
import { type Entry, withEntry } from "./with-entry.ts";
import { temporaryName } from "./write-file.ts";

export interface Move {
  readonly from: string;
  readonly to: string;
  readonly overwrite: boolean;
  readonly sessionId?: string | undefined;
}

/** Moves or renames what is at `from` (a symlink itself, not its target) to exactly `to`, whose parents are made. */
export function moveEntry(access: FileAccess, move: Move): Promise<FsMoveResponse> {
  const source = { path: move.from, sessionId: move.sessionId };
  const target = { path: move.to, sessionId: move.sessionId };
  return withEntry(access, source, { symlink: "itself", parents: "expect", admit: refuseRoot }, async (from) => {
    const moved = await lstat(from.directory.at(from.name));
    const admit = (path: string, roots: readonly string[]) => {
      refuseRoot(path, roots);
      refuseOverlap(from.path, path);
    };
    return withEntry(access, target, { symlink: "itself", parents: "make", admit }, async (to) => {
      const replaced = await existing(to);
      if (replaced && !move.overwrite) throw targetExists(move.to);
      if (replaced && (replaced.isDirectory() || moved.isDirectory())) await replace(from, to);
      else await transfer(from, to);
      return { from: from.path, to: to.path };
    });
  });
}

function refuseOverlap(from: string, to: string): void {
  if (!isInside(from, to) && !isInside(to, from)) return;
  const sentence = `${shown(from)} and ${shown(to)} are the same or one is inside the other. Choose another target.`;
  throw new SandboxError("invalid_request", sentence);
}

function targetExists(path: string): SandboxError {
  return new SandboxError(
    "invalid_request",
    `Something is already at ${shown(path)}. Pass "overwrite": true to replace it.`,
  );
}

async function existing({ directory, name }: Entry): Promise<Stats | undefined> {
  return lstat(directory.at(name)).catch((error: unknown) => {
    if (errnoOf(error) !== "ENOENT") throw error;
    return undefined;
  });
}

/** Replaces what a rename alone cannot: the old one steps aside, comes back when the move fails, and goes at the end. */
async function replace(from: Entry, to: Entry): Promise<void> {
  const aside = temporaryName();
  await rename(to.directory.at(to.name), to.directory.at(aside));
  try {
    await transfer(from, to);
  } catch (error) {
    await rename(to.directory.at(aside), to.directory.at(to.name));
    throw error;
  }
  await removeTree(to.directory, aside);
}

async function transfer(from: Entry, to: Entry): Promise<void> {
  const source = from.directory.at(from.name);
  await rename(source, to.directory.at(to.name)).catch(async (error: unknown) => {
    if (errnoOf(error) !== "EXDEV") throw error;
    await copyOver(from, to);
    await removeTree(from.directory, from.name);
  });
}

/** The target appears whole or not at all. */
async function copyOver(from: Entry, to: Entry): Promise<void> {
  const temporary = temporaryName();
  try {
    await copyTree(from, { directory: to.directory, name: temporary });
    await rename(to.directory.at(temporary), to.directory.at(to.name));
  } catch (error) {
    await removeTree(to.directory, temporary).catch(() => undefined);
    throw error;
  }
}
