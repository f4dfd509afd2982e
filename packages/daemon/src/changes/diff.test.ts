/** Feared: a diff that shows what nobody did, misses what the agent did, or touches or runs something of the user's. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { SessionDiff } from "@sandbox-agent-ts/protocol";
import { describe, expect, it } from "vitest";
import { codeOf, session } from "../__fixtures__/client.ts";
import { eventually } from "../__fixtures__/eventually.ts";
import { ScriptedAgent } from "../__fixtures__/scripted-agent.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon, type TestDaemon } from "../__fixtures__/test-daemon.ts";

/** Git as a user runs it, with an identity and without a configuration of the machine. */
function git(directory: string, ...args: string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  const env = { PATH: process.env.PATH, HOME: directory, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", [...who, "-C", directory, ...args], { env, encoding: "utf8" });
}

function write(directory: string, files: Record<string, string | Buffer>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
}

/** A repository with one commit. */
function repository(files: Record<string, string | Buffer>): string {
  const directory = temporaryDirectory();
  write(directory, files);
  git(directory, "init", "-q");
  git(directory, "add", "-A");
  git(directory, "commit", "-qm", "first");
  return directory;
}

/** A session whose agent does what the test says. */
class Work {
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

const changed = (path: string, status: string, additions: number, deletions: number) => ({
  path,
  status,
  additions,
  deletions,
});

describe("what changed in a repository", () => {
  it("is every file that was added, changed, deleted or renamed, tracked or not, and nothing ignored", async () => {
    const long = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join("");
    const directory = repository({
      ".gitignore": "ignored/\n",
      "kept.txt": "kept\n",
      "changed.txt": "one\ntwo\n",
      "deleted.txt": "gone\n",
      "before.txt": long,
    });
    write(directory, { "untracked.txt": "mine\n", "staged.txt": "staged\n" });
    git(directory, "add", "staged.txt");
    const work = await Work.in(directory);
    await work.turn(() => {
      write(directory, {
        "changed.txt": "one\nTWO\n",
        "new/file.txt": "new\n",
        "ignored/x": "x",
        "untracked.txt": "mine\nits\n",
      });
      write(directory, { "image.bin": Buffer.from([0, 1, 2, 255]) });
      rmSync(join(directory, "deleted.txt"));
      renameSync(join(directory, "before.txt"), join(directory, "after.txt"));
      symlinkSync("kept.txt", join(directory, "link"));
    });
    const diff = await work.diff();
    expect(diff.source).toBe("git");
    expect(diff.base).toEqual({ kind: "session", time: expect.any(Number) });
    expect(diff.truncated).toBe(false);
    expect(diff.notes).toBeUndefined();
    expect(diff.files).toEqual([
      { ...changed("after.txt", "renamed", 0, 0), oldPath: "before.txt" },
      changed("changed.txt", "modified", 1, 1),
      changed("deleted.txt", "deleted", 0, 1),
      { ...changed("image.bin", "added", 0, 0), binary: true },
      changed("link", "added", 1, 0),
      changed("new/file.txt", "added", 1, 0),
      changed("untracked.txt", "modified", 1, 0),
    ]);
    expect(diff.diff).toContain("--- a/changed.txt\n+++ b/changed.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n");
    expect(diff.diff).toContain("rename from before.txt\nrename to after.txt\n");
    expect(git(directory, "status", "--porcelain")).toContain("A  staged.txt");
  });

  it("is the same when the agent commits, switches branches and rewrites history", async () => {
    const directory = repository({ "a.txt": "one\n" });
    const work = await Work.in(directory);
    await work.turn(() => {
      write(directory, { "a.txt": "two\n", "b.txt": "b\n" });
      git(directory, "checkout", "-qb", "other");
      git(directory, "add", "-A");
      git(directory, "commit", "-q", "--amend", "-m", "rewritten");
      git(directory, "reflog", "expire", "--expire=now", "--all");
    });
    expect((await work.diff()).files).toEqual([changed("a.txt", "modified", 1, 1), changed("b.txt", "added", 1, 0)]);
  });

  it("is limited to the session's directory, whose repository may be larger, and to a path", async () => {
    const root = repository({ "outside.txt": "o\n", "sub/inside.txt": "i\n", "sub/deep/er.txt": "d\n" });
    const directory = join(root, "sub");
    const work = await Work.in(directory);
    await work.turn(() => {
      write(root, { "outside.txt": "changed\n", "sub/inside.txt": "changed\n", "sub/deep/er.txt": "changed\n" });
    });
    const paths = async (query = "") => (await work.diff(query)).files.map(({ path }) => path);
    expect(await paths()).toEqual(["deep/er.txt", "inside.txt"]);
    expect(await paths("?path=deep")).toEqual(["deep/er.txt"]);
    expect(await paths(`?path=${encodeURIComponent(join(directory, "inside.txt"))}`)).toEqual(["inside.txt"]);
    expect(await paths("?path=in*")).toEqual([]);
    const refused = await work.daemon.client.call("GET", `${session(work.id)}/diff?path=../outside.txt`);
    expect(codeOf(refused)).toBe("invalid_request");
  });

  it("neither writes into the repository nor runs anything that its configuration names", async () => {
    const directory = repository({ ".gitattributes": "*.txt filter=evil diff=evil\n", "a.txt": "one\n" });
    const trap = join(temporaryDirectory(), "ran");
    const evil = join(dirname(trap), "evil.sh");
    writeFileSync(evil, `#!/bin/sh\necho ran >> ${trap}\ncat\n`);
    chmodSync(evil, 0o755);
    const keys = [
      "core.fsmonitor",
      "filter.evil.clean",
      "filter.evil.process",
      "diff.evil.command",
      "diff.evil.textconv",
    ];
    for (const key of keys) git(directory, "config", key, evil);
    mkdirSync(join(directory, ".git/hooks"), { recursive: true });
    for (const hook of ["post-index-change", "pre-commit"]) symlinkSync(evil, join(directory, ".git/hooks", hook));
    const contents = () => readdirSync(join(directory, ".git"), { recursive: true }).toSorted();
    const before = contents();
    const work = await Work.in(directory);
    await work.turn(() => write(directory, { "a.txt": "two\n", "b.txt": "b\n" }));
    expect((await work.diff()).files).toHaveLength(2);
    expect(contents()).toEqual(before);
    expect(existsSync(trap)).toBe(false);
  });

  it("counts files of repositories within, and tells a submodule by its commit", async () => {
    const library = repository({ "lib.txt": "1\n" });
    const directory = repository({ "a.txt": "a\n" });
    git(directory, "-c", "protocol.file.allow=always", "submodule", "add", "-q", library, "library");
    git(directory, "commit", "-qm", "submodule");
    const work = await Work.in(directory);
    await work.turn(() => {
      write(directory, { "app/main.txt": "hello\n", "app/.gitignore": "out/\n", "app/out/x": "x" });
      git(join(directory, "app"), "init", "-q");
      write(directory, { "second/main.txt": "hello\n" });
      git(join(directory, "second"), "init", "-q");
      git(join(directory, "second"), "add", "-A");
      git(join(directory, "second"), "commit", "-qm", "x");
      write(directory, { "library/lib.txt": "2\n" });
      git(join(directory, "library"), "commit", "-qam", "second");
    });
    const { files, diff } = await work.diff();
    expect(files.map(({ path }) => path)).toEqual(["app/.gitignore", "app/main.txt", "library", "second/main.txt"]);
    expect(diff).toMatch(/-Subproject commit \w{40}\n\+Subproject commit \w{40}/);
  });

  it("has odd names whole, and a patch that git can take back", async () => {
    const names = [
      "with space.txt",
      "-dash.txt",
      'quo"te.txt',
      "new\nline.txt",
      "ünï.txt",
      "[glob]*.txt",
      ":colon.txt",
    ];
    const directory = repository(Object.fromEntries(names.map((name) => [name, "one\n"])));
    const work = await Work.in(directory);
    await work.turn(() => write(directory, Object.fromEntries(names.map((name) => [name, "two\n"]))));
    expect((await work.diff()).files.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
    for (const name of names) {
      const { files } = await work.diff(`?path=${encodeURIComponent(name)}`);
      expect(files.map(({ path }) => path)).toEqual([name]);
    }
    const patch = await work.daemon.client.call("GET", `${session(work.id)}/diff?format=patch`);
    expect(patch.headers.get("content-type")).toBe("text/x-diff; charset=utf-8");
    writeFileSync(join(directory, ".git", "reverse.patch"), patch.text);
    git(directory, "apply", "-R", join(directory, ".git", "reverse.patch"));
    expect((await work.diff()).files).toEqual([]);
  });

  it("shows what took the place of something of another kind", async () => {
    const directory = repository({ "file-to-folder": "f\n", "folder/a": "a\n", "to-link": "l\n", "to-empty": "e\n" });
    const work = await Work.in(directory);
    await work.turn(() => {
      for (const name of ["file-to-folder", "folder", "to-link", "to-empty"])
        rmSync(join(directory, name), { recursive: true });
      write(directory, { "file-to-folder/x": "completely different\n", folder: "now a file with text\n" });
      symlinkSync("nowhere", join(directory, "to-link"));
      mkdirSync(join(directory, "to-empty"));
    });
    const { files } = await work.diff();
    expect(files.map(({ path, status }) => `${status} ${path}`)).toEqual([
      "deleted file-to-folder",
      "added file-to-folder/x",
      "added folder",
      "deleted folder/a",
      "deleted to-empty",
      "modified to-link",
    ]);
  });
});

describe("what changed in a directory that is in no repository", () => {
  it("is told the same way, also when the agent makes it one", async () => {
    const directory = temporaryDirectory();
    write(directory, { "a.txt": "one\n", ".gitignore": "*.log\n", "node_modules/x/index.js": "x" });
    const work = await Work.in(directory);
    await work.turn(() => {
      write(directory, { "a.txt": "two\n", "b.txt": "b\n", "c.log": "c\n", "node_modules/x/index.js": "y" });
      git(directory, "init", "-q");
      git(directory, "add", "-A");
      git(directory, "commit", "-qm", "mine");
    });
    const diff = await work.diff();
    expect(diff.source).toBe("snapshot");
    expect(diff.files).toEqual([changed("a.txt", "modified", 1, 1), changed("b.txt", "added", 1, 0)]);
  });

  it("leaves out files that are too large, and says so", async () => {
    const directory = temporaryDirectory();
    const work = await Work.in(directory);
    await work.turn(() => write(directory, { "huge.bin": Buffer.alloc(11 * 1024 * 1024), "small.txt": "s\n" }));
    const diff = await work.diff();
    expect(diff.files).toEqual([changed("small.txt", "added", 1, 0)]);
    expect(diff.notes?.join()).toContain("larger than 10 MiB: huge.bin");
  });

  it("leaves out what the daemon keeps there itself", async () => {
    const directory = temporaryDirectory();
    const work = await Work.in(directory, { dataDir: join(directory, "data") });
    await work.turn(() => write(directory, { "a.txt": "a\n" }));
    expect((await work.diff()).files).toEqual([changed("a.txt", "added", 1, 0)]);
  });
});

describe("turns", () => {
  it("are compared with their own start, up to now or up to the start of another", async () => {
    const directory = repository({ "a.txt": "0\n" });
    const work = await Work.in(directory);
    const first = await work.turn(() => write(directory, { "a.txt": "1\n" }));
    write(directory, { "by-hand.txt": "between turns\n" });
    const second = await work.turn(() => write(directory, { "b.txt": "b\n" }));
    const paths = async (query: string) => (await work.diff(query)).files.map(({ path }) => path);
    expect(await paths("")).toEqual(["a.txt", "b.txt", "by-hand.txt"]);
    expect(await paths(`?turn=${first}`)).toEqual(["a.txt", "b.txt", "by-hand.txt"]);
    expect(await paths(`?turn=${second}`)).toEqual(["b.txt"]);
    expect(await paths(`?turn=${first}&until=${second}`)).toEqual(["a.txt", "by-hand.txt"]);
    expect((await work.diff(`?turn=${second}`)).base).toMatchObject({ kind: "turn", turnId: second });
    const summary = await work.diff("?format=summary");
    expect(summary.files).toHaveLength(3);
    expect(summary).not.toHaveProperty("diff");
    const unknown = await work.daemon.client.call("GET", `${session(work.id)}/diff?turn=turn_nobody`);
    expect(codeOf(unknown)).toBe("not_found");
  });

  it("survive a restart of the daemon", async () => {
    const directory = repository({ "a.txt": "0\n" });
    const work = await Work.in(directory);
    await work.turn(() => write(directory, { "a.txt": "1\n" }));
    const { dataDir } = work.daemon;
    await work.daemon.close();
    write(directory, { "while-away.txt": "w\n" });
    await work.start({ dataDir });
    const second = await work.turn(() => write(directory, { "b.txt": "b\n" }));
    const paths = async (query: string) => (await work.diff(query)).files.map(({ path }) => path);
    expect(await paths("")).toEqual(["a.txt", "b.txt", "while-away.txt"]);
    expect(await paths(`?turn=${second}`)).toEqual(["b.txt"]);
  });
});

describe("without snapshots", () => {
  const fileRef = {
    type: "file_ref",
    path: "a.txt",
    action: "patch",
    diff: "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+a\n",
  } as const;

  it("the log tells what the agent reported, and a note why no more is known", async () => {
    const directory = temporaryDirectory();
    const work = await Work.in(directory, { env: { PATH: temporaryDirectory() } });
    const report = () => {
      const item = {
        item_id: "call",
        kind: "tool_call",
        role: "assistant",
        status: "completed",
        content: [fileRef],
      } as const;
      work.agent.emit({ type: "item.completed", data: { item: { ...item, content: [...item.content] } } });
    };
    const first = await work.turn(report);
    const second = await work.turn();
    const diff = await work.diff();
    expect(diff).toMatchObject({ source: "log", files: [changed("a.txt", "added", 1, 0)], diff: fileRef.diff });
    expect(diff.notes?.join(" ")).toContain("git is not installed where the daemon runs.");
    expect((await work.diff(`?turn=${first}&until=${second}`)).files).toHaveLength(1);
    expect((await work.diff(`?turn=${second}`)).files).toEqual([]);
  });

  it("nothing is taken before the first message, and nothing has changed", async () => {
    const work = await Work.in(repository({ "a.txt": "0\n" }));
    const diff = await work.diff();
    expect(diff).toMatchObject({ source: "log", files: [], diff: "" });
    expect(diff.notes).toEqual(["No message was sent yet; changes are recorded from the first message on."]);
    expect(existsSync(join(work.daemon.dataDir, "snapshots"))).toBe(false);
  });

  it("a directory is told by the log when it cannot be looked at any more", async () => {
    const directory = repository({ "a.txt": "0\n" });
    const work = await Work.in(directory);
    await work.turn();
    rmSync(directory, { recursive: true });
    expect(await work.diff()).toMatchObject({ source: "log", files: [] });
  });
});

describe("a deleted session", () => {
  it("takes its snapshots with it, and leaves those of others in the same directory", async () => {
    const directory = repository({ "a.txt": "0\n" });
    const work = await Work.in(directory);
    await work.turn(() => appendFileSync(join(directory, "a.txt"), "1\n"));
    const { client, dataDir } = work.daemon;
    await client.create("other", { agent: "mock", directory });
    await client.turn("other", "echo hello");
    await client.call("DELETE", session(work.id));
    expect((await work.diff("", "other")).source).toBe("git");
    await client.call("DELETE", session("other"));
    await eventually(() => expect(readdirSync(join(dataDir, "snapshots"))).toEqual([]));
  });

  it("leaves nothing, even if the daemon was killed in between", async () => {
    const directory = temporaryDirectory();
    const work = await Work.in(directory);
    await work.turn();
    const { dataDir } = work.daemon;
    await work.daemon.close();
    rmSync(join(dataDir, "sessions"), { recursive: true });
    mkdirSync(join(dataDir, "sessions"));
    await work.start({ dataDir });
    await eventually(() => expect(readdirSync(join(dataDir, "snapshots"))).toEqual([]));
  });
});
