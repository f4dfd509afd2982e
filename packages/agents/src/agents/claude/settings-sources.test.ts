/** Feared: a repository that allows itself something by its files. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PermissionMode } from "@sandbox-agent-ts/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { settingsSources } from "./settings-sources.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "claude-settings-"));
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, value: object): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), JSON.stringify(value));
}

const sources = (permissionMode: PermissionMode = "default", agentMode = "build") =>
  settingsSources(
    { sessionId: "s", directory: join(root, "work"), agentMode, permissionMode, env: {} },
    { HOME: join(root, "home") },
  );
const hooks = { PreToolUse: [{ hooks: [] }] };

test("what the user allows holds, what the directory allows does not, what forbids or asks does", async () => {
  await write("home/.claude/settings.json", {
    permissions: { allow: ["Bash(ls:*)"], deny: ["Read(a)"], ask: ["Edit"] },
  });
  await write("work/.claude/settings.json", { permissions: { allow: ["Bash"], deny: ["Read(b)"] } });
  await write("work/.claude/settings.local.json", { permissions: { allow: ["Write"], ask: ["WebFetch"] } });
  const permissions = { allow: ["Bash(ls:*)"], deny: ["Read(a)", "Read(b)"], ask: ["Edit", "WebFetch"] };
  expect(sources()).toMatchObject({
    managed: { allowManagedPermissionRulesOnly: true, allowManagedHooksOnly: true, permissions },
    withoutDirectory: false,
    ignored: ["permission rules"],
  });
});

test.each([
  ["plan", "build"],
  ["bypass", "plan"],
] as const)(
  "in mode %s of a session that is to %s nobody's rules allow anything",
  async (permissionMode, agentMode) => {
    await write("home/.claude/settings.json", { permissions: { allow: ["Bash"] }, sandbox: { enabled: true } });
    await write("home/.claude.json", { projects: { [root]: { hasTrustDialogAccepted: true } } });
    expect(sources(permissionMode, agentMode)).toMatchObject({
      flag: { sandbox: { autoAllowBashIfSandboxed: false } },
      managed: { permissions: { allow: [] } },
    });
  },
);

test("a directory that the user trusts may what it says, and so may everything in bypass", async () => {
  await write("work/.claude/settings.json", { hooks });
  expect(sources("bypass")).toBeUndefined();
  expect(sources()).toBeDefined();
  await write("home/.claude.json", { projects: { [join(root, "work")]: { hasTrustDialogAccepted: true } } });
  expect(sources()).toBeUndefined();
});

test("hooks of the directory do not run, and those of the user still do", async () => {
  await write("work/.claude/settings.json", { hooks });
  expect(sources()).toMatchObject({
    managed: { allowManagedHooksOnly: true },
    withoutDirectory: false,
    ignored: ["hooks"],
  });
  await write("home/.claude/settings.json", { hooks });
  expect(sources()).toMatchObject({ managed: { allowManagedHooksOnly: false }, withoutDirectory: true });
});

test("a command in the settings of the directory does not run", async () => {
  await write("work/.claude/settings.json", { apiKeyHelper: "touch /tmp/x" });
  expect(sources()).toMatchObject({ withoutDirectory: true, ignored: ["apiKeyHelper"] });
});

test("MCP servers of the directory and of those above it do not start, unless the user names them", async () => {
  await write(".mcp.json", { mcpServers: { above: {} } });
  await write("work/.mcp.json", { mcpServers: { here: {}, mine: {} } });
  await write("home/.claude/settings.json", { enabledMcpjsonServers: ["mine"] });
  expect(sources()).toMatchObject({
    flag: { enableAllProjectMcpServers: false, disabledMcpjsonServers: ["here", "above"] },
    ignored: ["the MCP server here", "the MCP server above"],
  });
});

test("a file that is no settings is none, and a pipe makes nobody wait", async () => {
  await mkdir(join(root, "work", ".claude"), { recursive: true });
  execFileSync("mkfifo", [join(root, "work", ".claude", "settings.json")]);
  await writeFile(join(root, "work", ".claude", "settings.local.json"), "{ no json");
  expect(sources()).toMatchObject({ ignored: [] });
});
