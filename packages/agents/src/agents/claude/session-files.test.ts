import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentHost, SessionConfig } from "../../agent.ts";
import { hasCredentials } from "./credentials.ts";
import { mcpConfig } from "./mcp-config.ts";
import { promptContent } from "./prompt-content.ts";
import { writeSessionFiles } from "./session-files.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "claude-files-"));
});
afterEach(() => rm(root, { recursive: true }));

function write(session: Partial<SessionConfig>) {
  const host = { dataDir: join(root, "data"), env: {} } as AgentHost;
  const config = {
    sessionId: "a/b",
    agentMode: "build",
    permissionMode: "default",
    directory: root,
    env: {},
    ...session,
  };
  return writeSessionFiles(host, config as SessionConfig);
}

test("a session without servers and skills has no files", async () => {
  expect((await write({})).launch).toEqual({});
  expect(await readdir(root)).toEqual([]);
});

test("the servers' file is only its owner's to read, and goes with the session", async () => {
  const files = await write({ mcp: { one: { type: "local", command: "x", env: { TOKEN: "secret" } } } });
  const file = files.launch.mcpFile as string;
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ mcpServers: { one: { env: { TOKEN: "secret" } } } });
  await files.remove();
  await expect(stat(file)).rejects.toThrow("ENOENT");
});

test("servers are told as Claude Code wants them", () => {
  const config = mcpConfig(
    {
      plain: { type: "local", command: "x", args: ["1"] },
      elsewhere: { type: "local", command: "x", args: ["1"], cwd: "/there", timeoutMs: 5 },
      remote: { type: "remote", url: "http://h/", bearerTokenEnvVar: "T", envHeaders: { "x-a": "A" } },
      off: { type: "local", command: "x", enabled: false },
    },
    { T: "token", A: "a" },
  );
  expect(config).toEqual({
    mcpServers: {
      plain: { type: "stdio", command: "x", args: ["1"], env: {} },
      elsewhere: {
        type: "stdio",
        command: "sh",
        args: ["-c", 'cd "$0" && exec "$@"', "/there", "x", "1"],
        env: {},
        timeout: 5,
      },
      remote: { type: "http", url: "http://h/", headers: { Authorization: "Bearer token", "x-a": "a" } },
    },
  });
});

test("a variable that a server needs and nobody set is named", () => {
  const server = { type: "remote", url: "http://h/", bearerTokenEnvVar: "NOWHERE" } as const;
  expect(() => mcpConfig({ far: server }, {})).toThrow("NOWHERE");
});

test("skills become a plugin of links, chosen by name", async () => {
  for (const name of ["one", "two", "three"]) {
    await mkdir(join(root, "skills", name), { recursive: true });
    await writeFile(join(root, "skills", name, "SKILL.md"), "---\n");
  }
  const sources = [
    { type: "local" as const, source: "skills", skills: ["one", "two"] },
    { type: "local" as const, source: root, subpath: "skills/three" },
  ];
  const { launch } = await write({ skills: { sources } });
  const linked = join(launch.pluginDir as string, "skills");
  expect((await readdir(linked)).sort()).toEqual(["one", "three", "two"]);
  expect(await realpath(join(linked, "one"))).toBe(await realpath(join(root, "skills", "one")));
});

test("a source without skills says so", async () => {
  await expect(write({ skills: { sources: [{ type: "local", source: "nothing" }] } })).rejects.toThrow("No skill");
});

test("images go with the message, other files are named, and what cannot be read is said", async () => {
  await writeFile(join(root, "a.png"), "png");
  const input = {
    turnId: "t",
    message: "look",
    attachments: [{ path: "a.png" }, { path: "b.txt", mime: "text/plain" }],
  };
  expect(await promptContent(input, root)).toEqual([
    { type: "image", source: { type: "base64", media_type: "image/png", data: Buffer.from("png").toString("base64") } },
    { type: "text", text: `Attached files:\n- ${join(root, "b.txt")} (text/plain)` },
    { type: "text", text: "look" },
  ]);
  const missing = { ...input, attachments: [{ path: "gone.png" }] };
  await expect(promptContent(missing, root)).rejects.toMatchObject({ code: "invalid_request" });
});

test.each([
  [".claude.json", { primaryApiKey: "sk-x" }, "linux", true],
  [".claude.json", { primaryApiKey: "" }, "linux", false],
  [".claude.json", { primaryApiKey: null, projects: {} }, "linux", false],
  [".claude/settings.json", { apiKeyHelper: "print-key" }, "linux", true],
  [".claude/settings.json", { env: { ANTHROPIC_API_KEY: "sk-x" } }, "linux", true],
  [".claude/settings.json", { env: { OTHER: "x" } }, "linux", false],
  [".claude.json", { oauthAccount: { emailAddress: "me@example.com" } }, "darwin", true],
  [".claude.json", { oauthAccount: {} }, "darwin", false],
  [".claude.json", { oauthAccount: { emailAddress: "me@example.com" } }, "linux", false],
] as const)("%s with %j on %s: %s", async (file, content, platform, expected) => {
  await mkdir(join(root, ".claude"));
  await writeFile(join(root, file), JSON.stringify(content, undefined, 2));
  expect(await hasCredentials({ HOME: root }, platform)).toBe(expected);
});

test("in a config directory of its own, everything is there", async () => {
  await writeFile(join(root, ".claude.json"), JSON.stringify({ primaryApiKey: "sk-x" }));
  expect(await hasCredentials({ HOME: "/nowhere", CLAUDE_CONFIG_DIR: root })).toBe(true);
  expect(await hasCredentials({ HOME: root, CLAUDE_CONFIG_DIR: "/nowhere" })).toBe(false);
});

test("credentials are a variable or the file of a login", async () => {
  expect(await hasCredentials({ HOME: root })).toBe(false);
  expect(await hasCredentials({ HOME: root, ANTHROPIC_API_KEY: "k" })).toBe(true);
  await mkdir(join(root, ".claude"));
  await writeFile(join(root, ".claude", ".credentials.json"), "{}");
  expect(await hasCredentials({ HOME: root })).toBe(true);
});
