// A repository of skills is fetched once, whole or not at all, and nothing of it is run or leads out of it.
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type GitWorld, makeGitWorld, whyNoGit } from "./__fixtures__/git-repository.ts";
import { defaultLimits } from "./fetch-limits.ts";
import { fetchRepository } from "./fetched-repositories.ts";
import { prepareSkills } from "./prepare-skills.ts";
import { repositoryOf } from "./repository.ts";

const skill = (description: string) => `---\ndescription: ${description}\n---\n`;
type Source = Parameters<typeof repositoryOf>[0];

describe.skipIf(whyNoGit)(`skills of repositories${whyNoGit}`, () => {
  let world: GitWorld;
  beforeEach(async () => {
    world = await makeGitWorld();
  });
  afterEach(() => world.dispose());

  const prepare = (source: Omit<Source, "type">, type: Source["type"] = "git", host = world.host) =>
    prepareSkills(host, { directory: world.root, skills: { sources: [{ type, ...source }] } });
  const fetches = () => world.commands.filter((label) => label === "git fetch").length;

  test("branch, tag, commit and subpath are the ones asked for, without git's own files", async () => {
    const repository = await world.makeRepository("skills", { "deep/light/SKILL.md": skill("first") });
    const first = await repository.git("rev-parse", "HEAD");
    await repository.git("tag", "v1");
    await repository.git("push", "--quiet", "origin", "v1");
    await repository.commit({ "deep/light/SKILL.md": skill("second") });
    const source = { source: repository.url, subpath: "deep" };
    const described = async (ref?: string) =>
      (await prepare({ ...source, ...(ref ? { ref } : {}) })).map(({ description }) => description);
    expect(await described("v1")).toEqual(["first"]);
    expect(await described(first)).toEqual(["first"]);
    expect(await described("main")).toEqual(["second"]);
    expect(await described()).toEqual(["second"]);
    const [found] = await prepare(source);
    expect(await readdir(join(found!.folder, "..", ".."))).toEqual(["deep"]);
  });

  test("a repository that is one skill has the name of the repository", async () => {
    const { url } = await world.makeRepository("lighthouse", { "SKILL.md": skill("one") });
    expect(await prepare({ source: url })).toMatchObject([{ name: "lighthouse", description: "one" }]);
  });

  test("github is an address, and the user's own git config is heard", async () => {
    await world.makeRepository("acme/skills", { "light/SKILL.md": skill("from afar") });
    const config = `[url "file://${world.root}/"]\n  insteadOf = https://github.com/\n`;
    await writeFile(join(world.root, "home", ".gitconfig"), config);
    expect(await prepare({ source: "acme/skills" }, "github")).toMatchObject([{ description: "from afar" }]);
  });

  test("sessions at the same time share one fetch, later ones what was fetched", async () => {
    const { url } = await world.makeRepository("skills", { "light/SKILL.md": skill("one") });
    const found = await Promise.all([1, 2, 3].map(() => prepare({ source: url })));
    expect(new Set(found.map(([one]) => one!.folder)).size).toBe(1);
    await prepare({ source: url });
    expect(fetches()).toBe(1);
    await prepare({ source: url, ref: "main" });
    expect(fetches()).toBe(2);
  });

  test("a branch that moved is fetched when it is not fresh any more, and who has the old one keeps it", async () => {
    const repository = await world.makeRepository("skills", { "light/SKILL.md": skill("one") });
    const [old] = await prepare({ source: repository.url });
    await repository.commit({ "light/SKILL.md": skill("two") });
    await age(world);
    expect(await prepare({ source: repository.url })).toMatchObject([{ description: "two" }]);
    expect(await readFile(old!.file, "utf8")).toContain("one");
  });

  test("what cannot be fetched again is taken as it was; what was never there is said", async () => {
    const repository = await world.makeRepository("skills", { "light/SKILL.md": skill("one") });
    await prepare({ source: repository.url });
    await age(world);
    const gone = {
      ...world.host,
      env: {
        ...world.host.env,
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "url.file:///nowhere/.insteadOf",
        GIT_CONFIG_VALUE_0: "file:///",
      },
    };
    expect(await prepare({ source: repository.url }, "git", gone)).toMatchObject([{ description: "one" }]);
    await expect(prepare({ source: `${repository.url}x` })).rejects.toMatchObject({
      code: "install_failed",
      message: expect.stringContaining("could not be fetched"),
    });
    await expect(prepare({ source: repository.url, ref: "nope" })).rejects.toThrow(
      'no branch, tag or whole commit id "nope"',
    );
    await expect(prepare({ source: repository.url, subpath: "nope" })).rejects.toThrow(
      "No skill was found in skills/nope",
    );
  });

  test("what a killed daemon left half is fetched anew and cleared away", async () => {
    const { url } = await world.makeRepository("skills", { "light/SKILL.md": skill("one") });
    await prepare({ source: url });
    const home = await homeOf(world);
    await mkdir(join(home, "partial-dead"));
    await writeFile(join(home, "fetched.json"), "{");
    expect(await prepare({ source: url })).toMatchObject([{ description: "one" }]);
    expect((await readdir(home)).filter((name) => name.startsWith("partial"))).toEqual([]);
  });

  test("hooks and templates of the user do not run", async () => {
    const { url } = await world.makeRepository("skills", { "light/SKILL.md": skill("one") });
    const hooks = join(world.root, "hooks");
    await mkdir(hooks);
    await writeFile(join(hooks, "post-checkout"), `#!/bin/sh\ntouch ${world.root}/ran\n`, { mode: 0o755 });
    await writeFile(join(world.root, "home", ".gitconfig"), `[core]\n  hooksPath = ${hooks}\n`);
    await prepare({ source: url });
    expect(await readdir(world.root)).not.toContain("ran");
  });

  test.each(["..", "../../other", "a/../../b", "/etc"])("the subpath %s is refused", async (subpath) => {
    const { url } = await world.makeRepository("skills", { "light/SKILL.md": skill("one") });
    await expect(prepare({ source: url, subpath })).rejects.toThrow("leads out of");
    expect(fetches()).toBe(0);
  });

  test("a link out of the repository is not followed", async () => {
    const secret = join(world.root, "secret");
    await mkdir(secret);
    await writeFile(join(secret, "SKILL.md"), skill("secret"));
    const repository = await world.makeRepository("skills", { "light/SKILL.md": skill("one") });
    await symlink(secret, join(repository.folder, "dark"));
    await repository.commit({});
    await expect(prepare({ source: repository.url })).rejects.toMatchObject({ code: "permission_denied" });
    await expect(prepare({ source: repository.url, subpath: "dark" })).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  test("only the protocols that are allowed are spoken", async () => {
    const { url } = await world.makeRepository("skills", { "light/SKILL.md": skill("one") });
    const { GIT_ALLOW_PROTOCOL: _, ...env } = world.host.env;
    const refused = prepare({ source: url }, "git", { ...world.host, env });
    await expect(refused).rejects.toThrow("Name the repository as a URL of https or ssh");
    expect(world.commands).toEqual([]);
  });

  test("a machine without git says so", async () => {
    const env = { ...world.host.env, PATH: world.root };
    const refused = prepare({ source: "acme/skills" }, "github", { ...world.host, env });
    await expect(refused).rejects.toThrow("need the program git. Install it");
  });

  test("a server that says nothing is given up, and its git is gone", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    const repository = repositoryOf({ type: "git", source: `https://127.0.0.1:${port}/skills.git` }, ["https"]);
    const limits = { ...defaultLimits, timeMs: 300 };
    await expect(fetchRepository(world.host, repository, limits)).rejects.toMatchObject({ code: "timeout" });
    silent.close();
  });

  test("a repository that is too large is given up, and nothing of it stays", async () => {
    const { url } = await world.makeRepository("skills", { "light/SKILL.md": skill("x".repeat(10_000)) });
    const repository = repositoryOf({ type: "git", source: url }, ["file"]);
    const limits = { ...defaultLimits, bytes: 5_000 };
    await expect(fetchRepository(world.host, repository, limits)).rejects.toMatchObject({ code: "payload_too_large" });
    expect(await readdir(await homeOf(world))).toEqual([]);
  });
});

async function homeOf({ host }: GitWorld): Promise<string> {
  const [name] = await readdir(join(host.dataDir, "repositories"));
  return join(host.dataDir, "repositories", name!);
}

/** As if the last fetch had been long ago. */
async function age(world: GitWorld): Promise<void> {
  const record = join(await homeOf(world), "fetched.json");
  const { commit } = JSON.parse(await readFile(record, "utf8"));
  await writeFile(record, JSON.stringify({ commit, at: 0 }));
}
