import { createHash, randomBytes } from "node:crypto";
import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readRegularTextSync } from "../files/read-regular-file.ts";
import { describeProcess, isAlive, isElsewhere, type LockHolder, parseHolder } from "./lock-holder.ts";

const maxAttempts = 10;

/** A lock file that was taken, or the process that has it; `undefined` when that changes too fast to say. */
export type LockAttempt =
  | {
      readonly release: () => void;
      /** The text of the dead lock that was replaced. */
      readonly replaced: string | undefined;
    }
  | {
      readonly heldBy: number | undefined;
      /** The lock of another pid namespace: whether its holder lives has to be asked of its socket. */
      readonly elsewhere?: { readonly text: string; readonly holder: LockHolder };
    };

export interface LockOptions {
  /** The socket that says for this process that it lives. */
  readonly socket?: string | undefined;
  /** Texts of locks of other pid namespaces whose holders are known to be dead. Without it pids are taken as our own. */
  readonly deadElsewhere?: ReadonlySet<string>;
}

/** Take the lock file for this process. It is free when its holder released it or died, however it died. */
export function tryProcessLock(path: string, options: LockOptions = {}): LockAttempt {
  const nonce = randomBytes(6).toString("hex");
  const mine = `${path}.${nonce}`;
  const text = JSON.stringify({ ...describeProcess(process.pid), socket: options.socket, nonce });
  try {
    writeFileSync(mine, text, { mode: 0o600, flag: "wx" });
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const dead = read(path);
      const got = link(mine, path) || inherit(mine, path, options.deadElsewhere);
      if (got === true) return { release: () => release(path, text), replaced: dead };
      if (got !== "again") return got;
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return { heldBy: undefined };
}

/**
 * Replace the lock of a dead process. Moving it away first would open a moment in which two could take it, so it is
 * replaced in one step, by the one process that made the link named after exactly this dead lock: its heir. An heir that
 * died before it could do so has an heir in turn.
 */
function inherit(
  mine: string,
  path: string,
  deadElsewhere: ReadonlySet<string> | undefined,
): true | "again" | LockAttempt {
  const dead = read(path);
  const links: string[] = [];
  let last = dead;
  while (last !== undefined) {
    const holder = parseHolder(last);
    if (holder && deadElsewhere && isElsewhere(holder)) {
      if (!deadElsewhere.has(last)) return { heldBy: holder.pid, elsewhere: { text: last, holder } };
    } else if (holder && isAlive(holder)) return { heldBy: holder.pid };
    const heir = heirPath(path, last);
    links.push(heir);
    if (link(mine, heir)) return replace(mine, path, dead, links);
    last = read(heir);
  }
  return "again";
}

/** Whoever came late, and became the heir of a lock that is replaced already, sees that and gives up what it made. */
function replace(mine: string, path: string, dead: string | undefined, links: readonly string[]): true | "again" {
  if (read(path) !== dead) {
    rmSync(links.at(-1)!, { force: true });
    return "again";
  }
  renameSync(mine, path);
  for (const name of links) rmSync(name, { force: true });
  return true;
}

export function heirPath(path: string, lockText: string): string {
  return `${path}.heir-${createHash("sha256").update(lockText).digest("hex").slice(0, 16)}`;
}

/** A hard link is made by exactly one of those who try at once. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function release(path: string, text: string): void {
  if (read(path) === text) rmSync(path, { force: true });
}

function read(path: string): string | undefined {
  try {
    return readRegularTextSync(path);
  } catch {
    return undefined;
  }
}
