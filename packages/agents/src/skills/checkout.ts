import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { type Excess, type FetchLimits, watchLimits } from "./fetch-limits.ts";
import type { Repository } from "./repository.ts";
import { type GitHost, type GitRun, runGit } from "./run-git.ts";

const shownStderrLength = 2_000;

/** The files of one commit in a new folder, without git's own. Answers the commit. */
export async function checkOut(
  host: GitHost,
  repository: Repository,
  folder: string,
  limits: FetchLimits,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const watch = watchLimits(folder, limits);
  const git = async (...args: string[]): Promise<readonly string[]> => {
    const run = await runGit(host, args, folder, watch.signal, repository.credentials);
    if (!watch.signal.aborted && run.exit.exitCode !== 0) throw failure(repository, run);
    watch.signal.throwIfAborted();
    return run.lines;
  };
  try {
    const commit = await fetchCommit(git, repository);
    await rm(join(folder, ".git"), { recursive: true });
    await watch.end();
    watch.signal.throwIfAborted();
    return commit;
  } catch (error) {
    throw watch.signal.aborted ? tooMuch(repository, watch.signal.reason, limits) : error;
  } finally {
    await watch.end();
  }
}

async function fetchCommit(
  git: (...args: string[]) => Promise<readonly string[]>,
  { url, ref }: Repository,
): Promise<string> {
  await git("init", "--quiet", "--template=");
  await git("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", url, ref);
  await git("checkout", "--quiet", "--detach", "FETCH_HEAD");
  const [commit] = await git("rev-parse", "HEAD");
  return commit!;
}

function tooMuch({ shown }: Repository, excess: Excess, { timeMs, bytes }: FetchLimits): SandboxError {
  if (excess === "size") {
    const sentence = `${shown} has more than ${bytes / 1024 / 1024} MB. Clone what is needed of it and name the folder as a local source.`;
    return new SandboxError("payload_too_large", sentence);
  }
  const sentence = `${shown} could not be fetched in ${timeMs / 1000} seconds. Try again, or clone it and name the folder as a local source.`;
  return new SandboxError("timeout", sentence);
}

function failure({ url, shown, ref }: Repository, { exit }: GitRun): SandboxError {
  const { spawnError, stderr } = exit;
  const said = [stderr.head, stderr.tail].join("").replaceAll(url, shown).trim().slice(-shownStderrLength);
  const context = { details: { url: shown, step: "fetch", stderr: said }, cause: spawnError };
  const sentence = /couldn't find remote ref|not our ref|unadvertised object/.test(said)
    ? `${shown} has no branch, tag or whole commit id "${ref}". Correct the \`ref\`.`
    : `${shown} could not be fetched. Check the address, the network and whether git may read it without asking for a password.`;
  return new SandboxError("install_failed", sentence, context);
}
