/** Feared: a diff that shows what nobody did, misses what the agent did, or touches or runs something of the user's. */
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeOf, session } from "../__fixtures__/client.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { changed, git, repository, Work, write } from "./__fixtures__/work.ts";

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
