import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionDiff } from "@sandbox-agent-ts/protocol";
import { expect } from "vitest";
import { session } from "../../__fixtures__/client.ts";
import { eventually } from "../../__fixtures__/eventually.ts";
import { ScriptedAgent } from "../../__fixtures__/scripted-agent.ts";
import { temporaryDirectory } from "../../__fixtures__/temporary-directory.ts";
import { startTestDaemon, type TestDaemon } from "../../__fixtures__/test-daemon.ts";

/** Git as a user runs it, with an identity and without a configuration of the machine. */
export function git(directory: string, ...args: string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  const env = { PATH: process.env.PATH, HOME: directory, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", [...who, "-C", directory, ...args], { env, encoding: "utf8" });
}

export function write(directory: string, files: Record<string, string | Buffer>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
}

/** A repository with one commit. */
export function repository(files: Record<string, string | Buffer>): string {
  const directory = temporaryDirectory();
  write(directory, files);
  git(directory, "init", "-q");
  git(directory, "add", "-A");
  git(directory, "commit", "-qm", "first");
  return directory;
}

/** A session whose agent does what the test says. */
export class Work {
  readonly agent = new ScriptedAgent();
  readonly id = "work";
  daemon!: TestDaemon;
  #prompts = 0;

  static async in(directory: string, options: Parameters<typeof startTestDaemon>[0] = {}): Promise<Work> {
    const work = new Work();
    await work.start(options);
    await work.daemon.client.create(work.id, { agent: "scripted", directory });
    return work;
  }

  async start(options: Parameters<typeof startTestDaemon>[0] = {}): Promise<void> {
    this.daemon = await startTestDaemon({ ...options, extraAgents: [this.agent.adapter] });
  }

  /** A turn in which this happens, once the snapshot of its start is complete. */
  async turn(act: () => void = () => {}): Promise<string> {
    const turnId = await this.daemon.client.message(this.id, "go on");
    this.#prompts += 1;
    await this.agent.prompted(this.#prompts);
    await this.diff(`?turn=${turnId}&format=summary`);
    act();
    this.agent.finish();
    await eventually(async () => expect((await this.daemon.client.info(this.id)).status).toBe("idle"));
    return turnId;
  }

  async diff(query = "", id = this.id): Promise<SessionDiff> {
    const answer = await this.daemon.client.call("GET", `${session(id)}/diff${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json<SessionDiff>();
  }
}

export const changed = (path: string, status: string, additions: number, deletions: number) => ({
  path,
  status,
  additions,
  deletions,
});
