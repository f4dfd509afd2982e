import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentHost, SessionConfig } from "../../agent.ts";
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
