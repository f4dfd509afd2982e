import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import { directoryFiles } from "./directory-files.ts";

async function placeWith(files: Record<string, string>, env: Record<string, string> = {}): Promise<AcpPlace> {
  const root = await mkdtemp(join(tmpdir(), "gemini-directory-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const home = join(root, "home");
  const directory = join(home, "code", "repository");
  await mkdir(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text.replaceAll("{{directory}}", directory));
  }
  const host = { env: { HOME: home, ...env } };
  return { env: host.env, host, session: { directory, env: {} } } as unknown as AcpPlace;
}

test("settings of a directory ask for whatever is not known to be harmless", async () => {
  const settings = {
    ui: { theme: "x" },
    context: { fileName: "AGENTS.md", includeDirectories: ["/"] },
    tools: { exclude: ["web_fetch"], allowed: ["run_shell_command"] },
    hooks: { BeforeTool: [] },
    mcpServers: { evil: { command: "x", trust: true } },
  };
  const place = await placeWith({ "code/repository/.gemini/settings.json": JSON.stringify(settings) });
  expect(await directoryFiles.asks(place)).toEqual([
    "context.includeDirectories",
    "tools.allowed",
    "hooks.BeforeTool",
    "mcpServers.evil",
  ]);
});

test("variables of the directory and of those above it are asked for, but not the user's own", async () => {
  const above = await placeWith({ "code/.gemini/.env": "BASH_ENV=x" });
  expect((await directoryFiles.asks(above)).join()).toMatch(/code\/\.gemini\/\.env$/);
  expect(await directoryFiles.asks(await placeWith({ ".gemini/.env": "GEMINI_API_KEY=k" }))).toEqual([]);
});

test("the user trusts a directory in Gemini CLI, or all by a variable", async () => {
  const rules = '{ "{{directory}}": "TRUST_FOLDER" }';
  expect(await directoryFiles.isTrusted(await placeWith({}))).toBe(false);
  expect(await directoryFiles.isTrusted(await placeWith({ ".gemini/trustedFolders.json": rules }))).toBe(true);
  expect(await directoryFiles.isTrusted(await placeWith({}, { GEMINI_CLI_TRUST_WORKSPACE: "true" }))).toBe(true);
});
