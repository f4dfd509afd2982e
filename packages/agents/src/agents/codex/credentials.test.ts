import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { codexHome, credentialsAvailable, keyVariable } from "./credentials.ts";

async function makeHome(files: Record<string, string> = {}): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "codex-credentials-"));
  onTestFinished(() => rm(home, { recursive: true }));
  await mkdir(join(home, ".codex"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, ".codex", name), text);
  return home;
}

test("without a login and a key there are no credentials", async () => {
  expect(await credentialsAvailable({ HOME: await makeHome() })).toBe(false);
});

test("a login counts, also in a home of another name", async () => {
  const home = await makeHome({ "auth.json": "{}" });
  expect(await credentialsAvailable({ HOME: home })).toBe(true);
  expect(await credentialsAvailable({ HOME: "/nowhere", CODEX_HOME: join(home, ".codex") })).toBe(true);
  expect(codexHome({ HOME: home })).toBe(join(home, ".codex"));
});

test("a key in the environment counts, and so does the one that the user's config asks for", async () => {
  const home = await makeHome({ "config.toml": '[model_providers.x]\nenv_key = "MY_KEY"\n' });
  expect(await credentialsAvailable({ HOME: home })).toBe(false);
  expect(await credentialsAvailable({ HOME: home, MY_KEY: "k" })).toBe(true);
  expect(await credentialsAvailable({ HOME: home, OPENAI_API_KEY: "k" })).toBe(true);
  expect(keyVariable({ OPENAI_API_KEY: "a", CODEX_API_KEY: "b" })).toBe("CODEX_API_KEY");
});
