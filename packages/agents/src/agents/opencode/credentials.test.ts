import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { credentialsAvailable } from "./credentials.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "opencode-home-"));
});
afterEach(() => rm(home, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), text);
}

test("nothing there is no credentials", async () => {
  expect(await credentialsAvailable({ HOME: home })).toBe(false);
  await write(".local/share/opencode/auth.json", "{}");
  await write(".config/opencode/opencode.json", '{"provider":{}}');
  expect(await credentialsAvailable({ HOME: home, OPENCODE_CONFIG_CONTENT: "{}" })).toBe(false);
});

test("a login, a key or a provider is", async () => {
  expect(await credentialsAvailable({ HOME: home, OPENAI_API_KEY: "k" })).toBe(true);
  const config = '{"provider": {"mine": {"options": {}}}}';
  expect(await credentialsAvailable({ HOME: home, OPENCODE_CONFIG_CONTENT: config })).toBe(true);
  await write("data/opencode/auth.json", '{"anthropic":{"type":"api","key":"k"}}');
  expect(await credentialsAvailable({ HOME: home, XDG_DATA_HOME: join(home, "data") })).toBe(true);
  await write(".config/opencode/opencode.jsonc", `// mine\n${config}`);
  expect(await credentialsAvailable({ HOME: home })).toBe(true);
});
