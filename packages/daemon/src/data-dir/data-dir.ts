import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRegularTextSync } from "@sandbox-agent-ts/agents/process-identity";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { checkFormat, writeFileAtomic } from "@sandbox-agent-ts/store/directory";
import { takeLock } from "./lock.ts";

/** The place a daemon keeps everything in, owned by it alone. */
export interface DataDir {
  /** The same in each life of the directory, and in no other directory. */
  readonly owner: string;
  readonly agents: string;
  /** Where the attachments of messages are kept that came as bytes. */
  readonly attachments: string;
  /** Where agents are installed; `null` when this directory is gone too soon for that to be worth a download. */
  readonly programs: string | null;
  /** Where temporary files of uploads are noted; `null` when nothing outlives this daemon anyway. */
  readonly uploads: string | null;
  /** Where is kept what the directories of sessions looked like. */
  readonly snapshots: string;
  /** Where running processes are noted; `null` when nothing outlives this daemon anyway. */
  readonly processes: string | null;
  /** Where sessions are kept, in today's format; `null` keeps them in memory. */
  readonly store: string | null;
  /** Keep some space back for a start on a full disk. To be called when there is time. */
  keepReserve(): void;
  release(): void;
}

/** Given up when the disk is full, so that a daemon can still start and its sessions be read. */
const reserveBytes = 256 * 1024;

export async function openDataDir(directory: string | null): Promise<DataDir> {
  return directory === null ? openTemporary() : openDirectory(directory);
}

async function openDirectory(directory: string): Promise<DataDir> {
  const reserve = join(directory, "reserve");
  let opened: Opened;
  try {
    opened = await takeDirectory(directory).catch((error: unknown) => {
      if (!isFull(error)) throw error;
      rmSync(reserve, { force: true });
      return takeDirectory(directory);
    });
  } catch (cause) {
    if (cause instanceof SandboxError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new SandboxError(
      isRefusal(code) ? "permission_denied" : "invalid_request",
      `The data directory ${directory} cannot be used (${code ?? message}). Make it writable or choose another with --data-dir.`,
      { cause },
    );
  }
  return {
    ...opened,
    agents: join(directory, "agents"),
    attachments: join(directory, "attachments"),
    programs: join(directory, "programs"),
    snapshots: join(directory, "snapshots"),
    uploads: join(directory, "uploads"),
    processes: join(directory, "processes"),
    store: directory,
    keepReserve: () => keepReserve(reserve),
  };
}

type Opened = Pick<DataDir, "owner" | "release">;

async function takeDirectory(directory: string): Promise<Opened> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  checkOwnership(directory);
  const release = await takeLock(join(directory, "daemon.lock"), directory);
  try {
    const owner = readOwner(join(directory, "owner"));
    checkFormat(directory);
    return { owner, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** In a directory where somebody else can put links, what we write would land wherever they point. */
function checkOwnership(directory: string): void {
  const { uid, mode } = statSync(directory);
  const self = process.getuid?.() ?? uid;
  const isOurs = uid === self || self === 0;
  if (isOurs && (mode & 0o002) === 0) return;
  const why = isOurs ? "can be written by everybody" : "belongs to another user";
  throw new SandboxError(
    "permission_denied",
    `The data directory ${directory} ${why}. Choose another with --data-dir, for instance a new one inside it.`,
  );
}

function isFull(error: unknown): boolean {
  const { code, cause } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || (cause !== undefined && isFull(cause));
}

function keepReserve(path: string): void {
  try {
    writeFileSync(path, Buffer.alloc(reserveBytes), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") rmSync(path, { force: true });
  }
}

function isRefusal(code: string | undefined): boolean {
  return code === "EACCES" || code === "EPERM" || code === "EROFS";
}

function openTemporary(): DataDir {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-"));
  return {
    owner: randomBytes(12).toString("hex"),
    agents: join(directory, "agents"),
    attachments: join(directory, "attachments"),
    programs: null,
    snapshots: join(directory, "snapshots"),
    processes: null,
    uploads: null,
    store: null,
    keepReserve() {},
    release: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function readOwner(file: string): string {
  try {
    const owner = readRegularTextSync(file).trim();
    if (owner !== "") return owner;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const owner = randomBytes(12).toString("hex");
  writeFileAtomic(file, `${owner}\n`, { durable: false });
  return owner;
}
