import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  /** Where is kept what the directories of sessions looked like. */
  readonly snapshots: string;
  /** Where running processes are noted; `null` when nothing outlives this daemon anyway. */
  readonly processes: string | null;
  /** Where sessions are kept, in today's format; `null` keeps them in memory. */
  readonly store: string | null;
  release(): void;
}

export function openDataDir(directory: string | null): DataDir {
  return directory === null ? openTemporary() : openDirectory(directory);
}

function openDirectory(directory: string): DataDir {
  let release = () => {};
  let owner: string;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    release = takeLock(join(directory, "daemon.lock"), directory);
    owner = readOwner(join(directory, "owner"));
    checkFormat(directory);
  } catch (cause) {
    release();
    if (cause instanceof SandboxError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new SandboxError(
      isRefusal(code) ? "permission_denied" : "invalid_request",
      `The data directory ${directory} cannot be used (${code ?? message}). Make it writable or choose another with --data-dir.`,
      { cause },
    );
  }
  return {
    owner,
    agents: join(directory, "agents"),
    attachments: join(directory, "attachments"),
    programs: join(directory, "programs"),
    snapshots: join(directory, "snapshots"),
    processes: join(directory, "processes"),
    store: directory,
    release,
  };
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
    store: null,
    release: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function readOwner(file: string): string {
  try {
    const owner = readFileSync(file, "utf8").trim();
    if (owner !== "") return owner;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const owner = randomBytes(12).toString("hex");
  writeFileAtomic(file, `${owner}\n`, { durable: false });
  return owner;
}
