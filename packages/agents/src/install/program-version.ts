import { stat } from "node:fs/promises";
import { runBriefly } from "../process/run-briefly.ts";
import type { AgentProgram } from "./agent-program.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** On a busy machine the first start of a large program in JavaScript takes most of a minute. */
const versionTimeoutMs = 60_000;
const maxOutputBytes = 1024 * 1024;
/** Not the full stop behind it. */
const anyVersion = /\d+\.\d+\.\d+(?:[\w.+-]*\w)?/;

export interface VersionAnswer {
  /** What it says it is. */
  readonly version?: string;
  /** Why it cannot be run. */
  readonly failure?: string;
  readonly stderr: string;
}

/** Runs the program to ask for its version, for a bounded time. */
export async function askVersion(program: AgentProgram, path: string, env: Environment): Promise<VersionAnswer> {
  const args = program.versionArgs ?? ["--version"];
  const limits = { timeoutMs: versionTimeoutMs, maxOutputBytes };
  const { stdout, stderr, failure } = await runBriefly({ command: path, args, env, ...limits });
  if (failure !== undefined) return { failure, stderr };
  const found = (program.versionPattern ?? anyVersion).exec(stdout);
  return { ...(found && { version: found[1] ?? found[0] }), stderr };
}

const known = new Map<string, { readonly file: string; readonly version: Promise<string | undefined> }>();

/** What the program says it is, asked again only when its file has changed. */
export async function versionOf(program: AgentProgram, path: string, env: Environment): Promise<string | undefined> {
  const { ino, size, mtimeMs } = await stat(path);
  const file = `${ino}:${size}:${mtimeMs}`;
  const kept = known.get(path);
  if (kept?.file === file) return kept.version;
  const version = askVersion(program, path, env).then((answer) => answer.version);
  known.set(path, { file, version });
  return version;
}
