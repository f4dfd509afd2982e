import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentHost, SessionConfig } from "../agent.ts";
import { linkSkills } from "./link-skills.ts";
import { prepareSkills } from "./prepare-skills.ts";
import { sessionInstructions } from "./session-instructions.ts";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "skills-")));
});
afterEach(() => rm(root, { recursive: true }));

const host = {} as AgentHost;

async function addSkill(path: string, header = "---\n---\n"): Promise<void> {
  await mkdir(join(root, path), { recursive: true });
  await writeFile(join(root, path, "SKILL.md"), header);
}

function session(...sources: NonNullable<SessionConfig["skills"]>["sources"]): SessionConfig {
  return { directory: root, skills: { sources } } as unknown as SessionConfig;
}

async function names(...sources: Parameters<typeof session>): Promise<string[]> {
  return (await prepareSkills(host, session(...sources))).map(({ name }) => name);
}

test("a folder of skills, a skill, and a folder with its skills in `skills`", async () => {
  for (const path of ["many/one", "many/two", "single", "project/skills/three"]) await addSkill(path);
  await mkdir(join(root, "many", "none"));
  expect(await names({ type: "local", source: "many" })).toEqual(["one", "two"]);
  expect(await names({ type: "local", source: root, subpath: "single" })).toEqual(["single"]);
  expect(await names({ type: "local", source: join(root, "project") })).toEqual(["three"]);
});

test("a skill is called as it says, unless that is no name for a file", async () => {
  await addSkill("a/first", "---\nname: light\n---\n");
  await addSkill("a/second", "---\nname: ../../etc\n---\n");
  expect(await names({ type: "local", source: "a" })).toEqual(["light", "second"]);
  expect(await names({ type: "local", source: "a", skills: ["first"] })).toEqual(["light"]);
  expect(await names({ type: "local", source: "a", skills: ["light"] })).toEqual(["light"]);
});

test("what is not there is said, with what is", async () => {
  await addSkill("a/first");
  await expect(names({ type: "local", source: "b" })).rejects.toThrow(`No skill was found in ${join(root, "b")}`);
  await expect(names({ type: "local", source: "a", skills: ["second"] })).rejects.toThrow("It has: first.");
});

test("two of one name are refused, the same one twice is not", async () => {
  await addSkill("a/same");
  await addSkill("b/same");
  const [a, b] = [{ type: "local", source: "a" } as const, { type: "local", source: "b" } as const];
  expect(await names(a, a)).toEqual(["same"]);
  await expect(names(a, b)).rejects.toThrow("Two skills of the session are called same");
});

test("they are told in the instructions, or linked into a folder", async () => {
  await addSkill("a/first", "---\nname: light\ndescription: Keeps it burning\n---\n");
  const withSkill = { ...session({ type: "local", source: "a" }), systemPrompt: "Be brief." };
  const told = await sessionInstructions(host, withSkill);
  expect(told).toContain("Be brief.\n\n## Skills");
  expect(told).toContain(`- light: Keeps it burning (file: ${join(root, "a/first/SKILL.md")})`);
  expect(await sessionInstructions(host, session())).toBeUndefined();

  await linkSkills([], join(root, "links"));
  await linkSkills(await prepareSkills(host, withSkill), join(root, "links"));
  expect(await readdir(join(root, "links", "light"))).toEqual(["SKILL.md"]);
});
