import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { openProcessTable } from "@sandbox-agent/agents";
import { SandboxError } from "@sandbox-agent/protocol";

interface Holder {
  pid: number;
  /** With the boot it tells a process from a later one that got the same pid; null where the system cannot tell. */
  startTime: number | null;
  bootId: string | null;
}

const maxAttempts = 10;

/** Take the lock file, or refuse with a sentence that names the daemon that has it. Returns how to give it back. */
export function takeLock(path: string, directory: string): () => void {
  const mine = `${path}.${randomBytes(6).toString("hex")}`;
  const text = JSON.stringify(describe(process.pid));
  writeFileSync(mine, text, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (claim(mine, path)) return () => release(path, text);
      const holder = read(path);
      if (holder && isAlive(holder)) throw taken(directory, holder.pid);
      clearStale(path, `${mine}.stale`, holder);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  throw taken(directory, undefined);
}

/** A hard link is made by exactly one of those who try at once. */
function claim(mine: string, path: string): boolean {
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Move a dead daemon's lock away; if somebody alive took it over in between, give it back. */
function clearStale(path: string, aside: string, seen: Holder | undefined): void {
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = read(aside);
  if (moved && JSON.stringify(moved) !== JSON.stringify(seen) && isAlive(moved)) claim(aside, path);
  rmSync(aside, { force: true });
}

function release(path: string, text: string): void {
  try {
    if (readFileSync(path, "utf8") === text) rmSync(path);
  } catch {
    // Gone already.
  }
}

function read(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

function describe(pid: number): Holder {
  const table = openProcessTable();
  return { pid, startTime: table?.startTime(pid) ?? null, bootId: table?.bootId ?? null };
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const now = describe(holder.pid);
  return now.bootId === holder.bootId && now.startTime === holder.startTime;
}

function taken(directory: string, pid: number | undefined): SandboxError {
  const who = pid === undefined ? "another daemon" : `the daemon with pid ${pid}`;
  return new SandboxError(
    "internal_error",
    `${directory} is in use by ${who}. Stop it, or start this one with another --data-dir.`,
  );
}
