import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { silent } from "../../contract/harness-world.ts";
import { findOnPath } from "../../install/find-executable.ts";
import { createSupervisor } from "../../process/supervisor.ts";
import type { GitHost } from "../run-git.ts";

const run = promisify(execFile);

/** For the title of tests that then cannot run. */
export const whyNoGit = (await findOnPath("git", process.env.PATH)) ? "" : " (skipped: the program git is not here)";

export interface GitWorld {
  readonly root: string;
  readonly host: GitHost;
  /** How many programs were started, by their first argument that is a command. */
  readonly commands: string[];
  /** A repository with these files in its first commit. */
  makeRepository(name: string, files: Record<string, string>): Promise<GitRepository>;
  dispose(): Promise<void>;
}

interface GitRepository {
  readonly url: string;
  readonly folder: string;
  git(...args: string[]): Promise<string>;
  commit(files: Record<string, string>): Promise<string>;
}

/** Bare repositories on this machine, and a host that may fetch them. */
export async function makeGitWorld(env: Record<string, string> = {}): Promise<GitWorld> {
  const root = await mkdtemp(join(tmpdir(), "git-world-"));
  const supervisor = createSupervisor({ recordDir: null, owner: "git-world", log: silent });
  const commands: string[] = [];
  const home = join(root, "home");
  await mkdir(home);
  const gitEnv = { PATH: process.env.PATH ?? "", HOME: home };
  return {
    root,
    commands,
    host: {
      dataDir: join(root, "data"),
      env: { ...gitEnv, GIT_ALLOW_PROTOCOL: "https:ssh:file", ...env },
      log: silent,
      spawn(options) {
        commands.push(options.label);
        return supervisor.spawn(options);
      },
    },
    makeRepository: (name, files) => makeRepository(join(root, name), files, gitEnv),
    async dispose() {
      await supervisor.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function makeRepository(
  path: string,
  files: Record<string, string>,
  env: Record<string, string>,
): Promise<GitRepository> {
  const work = `${path}-work`;
  const who = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com", "-c", "init.defaultBranch=main"];
  const git = async (...args: string[]) => (await run("git", [...who, ...args], { cwd: work, env })).stdout.trim();
  await mkdir(work, { recursive: true });
  await git("init", "--quiet");
  await git("init", "--quiet", "--bare", `${path}.git`);
  await git("remote", "add", "origin", `${path}.git`);
  const commit = async (changed: Record<string, string>) => {
    for (const [name, text] of Object.entries(changed)) {
      await mkdir(dirname(join(work, name)), { recursive: true });
      await writeFile(join(work, name), text);
    }
    await git("add", "--all");
    await git("commit", "--quiet", "-m", "a change");
    await git("push", "--quiet", "origin", "HEAD:main");
    return git("rev-parse", "HEAD");
  };
  await commit(files);
  return { url: `file://${path}.git`, folder: work, git, commit };
}
