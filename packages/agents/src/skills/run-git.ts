import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentHost } from "../agent.ts";
import { findOnPath } from "../install/find-executable.ts";
import type { ProcessExit } from "../process/agent-process.ts";

export type GitHost = Pick<AgentHost, "dataDir" | "env" | "log" | "spawn">;

/** What git may be made to speak; its own variable says otherwise, e.g. `https:ssh:file`. */
const DEFAULT_PROTOCOLS = "https:ssh";

/** They would make it work on a repository of somebody else's. */
const repositoryVariables =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|TEMPLATE_DIR)$/;

/** Nothing of a fetched repository is run, and nothing of the user's that reacts to fetching. */
const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.protectNTFS=true",
  "core.protectHFS=true",
  "gc.auto=0",
  "maintenance.auto=false",
  "advice.detachedHead=false",
].flatMap((setting) => ["-c", setting]);

export function allowedProtocols({ env }: Pick<GitHost, "env">): string[] {
  return (env.GIT_ALLOW_PROTOCOL || DEFAULT_PROTOCOLS).split(":");
}

export interface GitRun {
  readonly exit: ProcessExit;
  readonly lines: readonly string[];
}

/** One command of the `git` program, which asks nobody anything. Stopped by the signal. */
export async function runGit(
  host: GitHost,
  args: string[],
  cwd: string,
  signal: AbortSignal,
  secrets: Readonly<Record<string, string>> = {},
): Promise<GitRun> {
  const lines: string[] = [];
  const process = host.spawn({
    command: await requireGit(host),
    args: [...settings, ...args],
    cwd,
    env: { ...gitEnvironment(host), ...configInEnvironment(secrets, host.env) },
    label: `git ${args[0]}`,
    onLines: (read) => lines.push(...read),
  });
  process.endInput();
  const stop = () => void process.stop().catch((err: unknown) => host.log.error({ err }, "git could not be ended"));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const exit = await process.exited;
  signal.removeEventListener("abort", stop);
  await process.stop();
  return { exit, lines };
}

/** Settings that nobody can read among the arguments. */
function configInEnvironment(
  config: Readonly<Record<string, string>>,
  env: GitHost["env"],
): Readonly<Record<string, string>> {
  const before = Number(env.GIT_CONFIG_COUNT) || 0;
  const entries = Object.entries(config).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${before + at}`, key],
    [`GIT_CONFIG_VALUE_${before + at}`, value],
  ]);
  return { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: String(before + entries.length / 2) };
}

async function requireGit({ env }: GitHost): Promise<string> {
  const path = await findOnPath("git", env.PATH);
  if (path !== undefined) return path;
  const sentence = "Skills of a repository need the program git. Install it, or name a local folder with the skills.";
  throw new SandboxError("install_failed", sentence);
}

function gitEnvironment(host: GitHost): Record<string, string> {
  const inherited = Object.entries(host.env).filter(([name]) => !repositoryVariables.test(name));
  return {
    ...Object.fromEntries(inherited),
    GIT_ALLOW_PROTOCOL: allowedProtocols(host).join(":"),
    GIT_TERMINAL_PROMPT: "0",
    // Empty: there is nobody to ask, by a window neither.
    GIT_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GCM_INTERACTIVE: "never",
    GIT_LFS_SKIP_SMUDGE: "1",
    LC_ALL: "C",
  };
}
