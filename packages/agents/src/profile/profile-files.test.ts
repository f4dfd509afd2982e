/** Feared: a profile ends up in somebody's repository, outside of the directory, or stays behind. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentProfile } from "@sandbox-agent-ts/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { placeProfileFiles, removeProfileFiles, writeProfileSkills } from "./profile-files.ts";

let root: string;
let directory: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "profile-files-")));
  directory = join(root, "work");
  await mkdir(directory);
});
afterEach(() => rm(root, { recursive: true }));

const files = {
  "a.txt": "text",
  "deep/er/run.sh": { content: "#!/bin/sh\n", executable: true },
  "deep/bytes": { content: Buffer.from([0, 255, 1]).toString("base64"), encoding: "base64" as const },
};

test("files are written with their bytes and modes, and taken away again", async () => {
  const { placed, losses } = await placeProfileFiles({ files }, directory);
  expect(losses).toEqual([]);
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("text");
  expect([...(await readFile(join(directory, "deep/bytes")))]).toEqual([0, 255, 1]);
  expect((await stat(join(directory, "deep/er/run.sh"))).mode & 0o111).not.toBe(0);
  await removeProfileFiles(directory, placed);
  expect(await readdir(directory)).toEqual([]);
});

test("what was there or was changed since stays", async () => {
  await writeFile(join(directory, "a.txt"), "mine");
  const { placed, losses } = await placeProfileFiles({ files }, directory);
  expect(losses).toMatchObject([
    { entity: "files", name: "a.txt", reason: "There is something in its place already." },
  ]);
  await writeFile(join(directory, "deep/bytes"), "changed");
  await removeProfileFiles(directory, placed);
  expect((await readdir(directory, { recursive: true })).sort()).toEqual(["a.txt", "deep", "deep/bytes"]);
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("mine");
});

test("the same file of somebody else is neither lost nor taken away", async () => {
  await writeFile(join(directory, "a.txt"), "text");
  const { placed, losses } = await placeProfileFiles({ files: { "a.txt": "text" } }, directory);
  expect({ placed, losses }).toEqual({ placed: {}, losses: [] });
});

test("nothing is written into a repository, also not below its root", async () => {
  await mkdir(join(root, ".git"));
  const { placed, losses } = await placeProfileFiles({ files }, directory);
  expect(placed).toEqual({});
  expect(losses).toMatchObject([{ entity: "files", reason: expect.stringContaining("git repository") }]);
  expect(await readdir(directory)).toEqual([]);
});

test("links lead nowhere", async () => {
  await mkdir(join(root, "outside"));
  await symlink(join(root, "outside"), join(directory, "deep"));
  const { losses } = await placeProfileFiles({ files }, directory);
  expect(losses.map(({ name }) => name)).toEqual(["deep/er/run.sh", "deep/bytes"]);
  expect(await readdir(join(root, "outside"))).toEqual([]);
});

test.each(["/etc/passwd", "../x", "a/../../x", "a//b", "", ".", "a\\b", "a\0b", ".git/hooks/pre-commit"])(
  "the path %j is refused",
  (path) => {
    expect(AgentProfile.safeParse({ files: { [path]: "x" } }).success).toBe(false);
  },
);

test("skills are folders, and those of before are gone", async () => {
  const skill = (text: string) => ({ files: { "SKILL.md": text, "notes/a.md": "note" } });
  await writeProfileSkills({ skills: { one: skill("1"), two: skill("2") } }, join(root, "skills"));
  await writeProfileSkills({ skills: { two: skill("3") } }, join(root, "skills"));
  expect(await readdir(join(root, "skills"))).toEqual(["two"]);
  expect(await readFile(join(root, "skills/two/SKILL.md"), "utf8")).toBe("3");
  expect(await readFile(join(root, "skills/two/notes/a.md"), "utf8")).toBe("note");
  expect(AgentProfile.safeParse({ skills: { "../x": skill("1") } }).success).toBe(false);
  expect(AgentProfile.safeParse({ skills: { x: { files: { "OTHER.md": "" } } } }).success).toBe(false);
});
