import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type ErrorCode, errorTypePrefix, type ProblemDetails, SandboxError } from "@sandbox-agent-ts/protocol";
import type { Environment } from "../data-dir.ts";
import { ownCommand } from "../own-command.ts";
import { isHealthy } from "./is-healthy.ts";
import { logPath, type RunRecord, runningDaemon } from "./run-record.ts";

const START_TIMEOUT_MS = 30_000;
const RIVAL_WAIT_MS = 2_000;
const EXIT_WAIT_MS = 5_000;
const LOOK_EVERY_MS = 50;
const OWNER_ONLY = 0o600;
const LOG_TAIL_CHARACTERS = 2_000;

export interface StartOptions {
  /** Flags of `server`, without the token: other users can read a process's arguments. */
  readonly flags: readonly string[];
  readonly token: string | undefined;
  readonly dataDir: string;
  readonly env: Environment;
}

export interface StartResult {
  readonly daemon: RunRecord;
  readonly alreadyRunning: boolean;
}

/** What a server tells the command that started it. */
export type StarterNews = "ready" | { readonly problem: Partial<ProblemDetails> };

/** Start a daemon that outlives us, in a session of its own; resolves when it answers. */
export async function startBackground(options: StartOptions): Promise<StartResult> {
  const running = runningDaemon(options.dataDir);
  if (running !== undefined) return { daemon: running, alreadyRunning: true };
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const log = openLog(logPath(options.dataDir));
  const logStart = fstatSync(log).size;
  try {
    return await launch(options, log, logStart);
  } finally {
    closeSync(log);
  }
}

/** Never through a link, and never one that is a pipe. */
function openLog(path: string): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;
  try {
    const log = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, OWNER_ONLY);
    if (fstatSync(log).isFile()) return log;
    closeSync(log);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ELOOP") throw cause;
  }
  throw new SandboxError("permission_denied", `${path} is not a regular file. Remove it and start the daemon again.`);
}

async function launch(options: StartOptions, log: number, logStart: number): Promise<StartResult> {
  const [command, ...args] = ownCommand();
  const child = spawn(command, [...args, "server", "--quiet", ...options.flags], {
    detached: true,
    stdio: ["ignore", log, log, "ipc"],
    env: { ...options.env, ...(options.token === undefined ? {} : { SANDBOX_AGENT_TOKEN: options.token }) },
  });
  const news = await firstNews(child);
  const daemon = news === "ready" ? runningDaemon(options.dataDir) : undefined;
  if (daemon !== undefined && (await isHealthy(daemon.url))) {
    child.disconnect();
    child.unref();
    return { daemon, alreadyRunning: false };
  }
  if (typeof news === "object") await exitOf(child);
  child.kill("SIGKILL");
  const rival = await rivalOf(options.dataDir);
  if (rival !== undefined) return { daemon: rival, alreadyRunning: true };
  throw startFailure(options.dataDir, news, logStart);
}

/** One that says why it cannot start ends by itself, after it has written that to its log. */
async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await once(child, "exit", { signal: AbortSignal.timeout(EXIT_WAIT_MS) }).catch(() => undefined);
}

/** Somebody else may have started a daemon in the same moment; ours was refused, and theirs is about to be ready. */
async function rivalOf(dataDir: string): Promise<RunRecord | undefined> {
  const deadline = performance.now() + RIVAL_WAIT_MS;
  while (performance.now() < deadline) {
    const daemon = runningDaemon(dataDir);
    if (daemon !== undefined && (await isHealthy(daemon.url))) return daemon;
    await pause(LOOK_EVERY_MS);
  }
  return undefined;
}

/** Ready, or why not: in its own words, or as it looks from outside. */
async function firstNews(child: ChildProcess): Promise<StarterNews | string> {
  const signal = AbortSignal.timeout(START_TIMEOUT_MS);
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([news]) => news as StarterNews),
      once(child, "exit", { signal }).then(([code, by]) => `it ended with ${by ?? `exit code ${code}`}`),
    ]);
  } catch (error) {
    return signal.aborted ? `it was not ready after ${START_TIMEOUT_MS / 1000} s` : (error as Error).message;
  }
}

function startFailure(dataDir: string, news: StarterNews | string, logStart: number): SandboxError {
  const path = logPath(dataDir);
  const tail = readFileSync(path).subarray(logStart).toString("utf8").slice(-LOG_TAIL_CHARACTERS);
  const details = { log: tail };
  if (typeof news === "object") {
    const code = news.problem.type?.slice(errorTypePrefix.length) as ErrorCode | undefined;
    return new SandboxError(code ?? "internal_error", `The daemon did not start. ${news.problem.detail}`, { details });
  }
  const reason = news === "ready" ? "it does not answer" : news;
  return new SandboxError("internal_error", `The daemon did not start: ${reason}. Its log is ${path}.`, { details });
}
