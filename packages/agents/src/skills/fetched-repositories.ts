import { createHash, randomBytes } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { readRegularText } from "../files/read-regular-file.ts";
import { writeWhole } from "../install/write-whole.ts";
import { checkOut } from "./checkout.ts";
import { defaultLimits, type FetchLimits } from "./fetch-limits.ts";
import type { Repository } from "./repository.ts";
import type { GitHost } from "./run-git.ts";

/** A branch may have moved after this time; a commit never does. */
const FRESH_MS = 10 * 60_000;
const wholeCommit = /^([0-9a-f]{40}|[0-9a-f]{64})$/;
const recordName = "fetched.json";

interface Fetched {
  readonly commit: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** By folder: who comes while a repository is being fetched waits for the same. */
const running = new Map<string, Promise<string>>();
/** Sessions of this process link into them. */
const inUse = new Set<string>();

/**
 * The folder with the files of a repository: fetched, or the one fetched before. It never changes and stays for as long
 * as this process; what moves on gets a new one. What cannot be fetched now but was before is taken as it was.
 */
export async function fetchRepository(
  host: GitHost,
  repository: Repository,
  limits: FetchLimits = defaultLimits,
): Promise<string> {
  const home = join(host.dataDir, "repositories", keyOf(repository));
  const fetching = running.get(home) ?? freshFolder(host, repository, home, limits).finally(() => running.delete(home));
  running.set(home, fetching);
  const folder = await fetching;
  inUse.add(folder);
  return folder;
}

async function freshFolder(host: GitHost, repository: Repository, home: string, limits: FetchLimits): Promise<string> {
  const known = await readFetched(home);
  const isFresh = known && (wholeCommit.test(repository.ref) || Date.now() - known.at < FRESH_MS);
  if (isFresh) return join(home, known.commit);
  try {
    return await fetchInto(host, repository, home, limits);
  } catch (err) {
    if (!known) throw err;
    host.log.warn(
      { err, url: repository.shown },
      "a repository of skills could not be fetched again; the old one is used",
    );
    return join(home, known.commit);
  }
}

async function fetchInto(host: GitHost, repository: Repository, home: string, limits: FetchLimits): Promise<string> {
  const temporary = join(home, `partial-${randomBytes(6).toString("hex")}`);
  try {
    const commit = await checkOut(host, repository, temporary, limits);
    const folder = join(home, commit);
    if (!(await exists(folder))) await rename(temporary, folder);
    await writeWhole(join(home, recordName), JSON.stringify({ commit, at: Date.now() } satisfies Fetched));
    await removeOthers(home, commit);
    return folder;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** What a killed daemon left half, and what no session of this one can be using. */
async function removeOthers(home: string, commit: string): Promise<void> {
  const kept = [commit, recordName];
  const others = (await readdir(home)).filter((name) => !kept.includes(name)).map((name) => join(home, name));
  await Promise.all(
    others.filter((path) => !inUse.has(path)).map((path) => rm(path, { recursive: true, force: true })),
  );
}

async function readFetched(home: string): Promise<Fetched | undefined> {
  try {
    const { commit, at } = JSON.parse(await readRegularText(join(home, recordName))) as Fetched;
    return wholeCommit.test(commit) && (await exists(join(home, commit))) ? { commit, at } : undefined;
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function keyOf({ url, ref }: Repository): string {
  return createHash("sha256")
    .update(JSON.stringify([url, ref]))
    .digest("hex")
    .slice(0, 32);
}
