import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AcpPlace } from "../../../acp/acp-agent.ts";
import { skillDescription, skillsConfig } from "../../../contract/contract-fixtures.ts";
import { prepareHome } from "./prepare-home.ts";

async function makePlace(files: Record<string, string>, session: object = {}): Promise<AcpPlace & { root: string }> {
  const root = await mkdtemp(join(tmpdir(), "gemini-home-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const env = { HOME: join(root, "user"), GEMINI_API_KEY: "k" };
  await mkdir(join(root, "data"));
  await mkdir(join(env.HOME, ".gemini", "skills", "own"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(env.HOME, ".gemini", name), text);
  const host = { dataDir: join(root, "data"), env, log: {}, spawn() {} };
  return {
    root,
    env,
    host,
    session: { sessionId: "s", directory: root, env: {}, ...session },
  } as unknown as AcpPlace & {
    root: string;
  };
}

async function prepare(place: AcpPlace): Promise<string> {
  return join((await prepareHome(place)).GEMINI_CLI_HOME!, ".gemini");
}

test("what the user has is there, with what the session adds, and the user's files stay as they are", async () => {
  const files = {
    "GEMINI.md": "Be brief.\n",
    "oauth_creds.json": "{}",
    "settings.json": '{ "ui": { "theme": "x" } } // mine',
  };
  const place = await makePlace(files, { systemPrompt: "You keep the Pharos.", skills: skillsConfig });
  const home = await prepare(place);
  expect(await readFile(join(home, "GEMINI.md"), "utf8")).toBe("Be brief.\n\nYou keep the Pharos.");
  expect(await readFile(join(home, "oauth_creds.json"), "utf8")).toBe("{}");
  expect(JSON.parse(await readFile(join(home, "settings.json"), "utf8"))).toMatchObject({
    ui: { theme: "x" },
    security: { auth: { selectedType: "gemini-api-key" } },
  });
  const skills = await readdir(join(home, "skills"));
  expect(skills).toContain("own");
  const texts = skills.map((name) => readFile(join(home, "skills", name, "SKILL.md"), "utf8").catch(() => ""));
  expect((await Promise.all(texts)).join()).toContain(skillDescription);
  for (const [name, text] of Object.entries(files)) {
    expect(await readFile(join(place.env.HOME!, ".gemini", name), "utf8")).toBe(text);
  }
});

test("conversations are the user's own, settings are nobody else's to read", async () => {
  const place = await makePlace({});
  const home = await prepare(place);
  await mkdir(join(home, "tmp", "project"));
  expect(await readdir(join(place.env.HOME!, ".gemini", "tmp"))).toEqual(["project"]);
  expect((await stat(join(home, "settings.json"))).mode & 0o777).toBe(0o600);
});

test("sessions that are alike share a home, made by any number of them at once", async () => {
  const place = await makePlace({});
  const homes = await Promise.all(Array.from({ length: 5 }, () => prepare(place)));
  expect(new Set(homes).size).toBe(1);
  expect(await prepare({ ...place, session: { ...place.session, systemPrompt: "Other." } })).not.toBe(homes[0]);
});

test("a login that comes later is found, settings that cannot be read are told", async () => {
  const place = await makePlace({});
  const home = await prepare(place);
  const theirs = join(place.env.HOME!, ".gemini");
  await writeFile(join(theirs, "oauth_creds.json"), "later");
  await prepare(place);
  expect(await readFile(join(home, "oauth_creds.json"), "utf8")).toBe("later");
  await writeFile(join(theirs, "settings.json"), "{ broken");
  await expect(prepareHome(place)).rejects.toThrow("settings.json");
});
