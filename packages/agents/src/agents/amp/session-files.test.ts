import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentHost, SessionConfig } from "../../agent.ts";
import { maySignIn } from "./credentials.ts";
import { mcpConfig } from "./mcp-config.ts";
import { plainText, promptContent } from "./prompt-content.ts";
import { makeSessionFiles, writeLaunchFiles } from "./session-files.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "amp-files-"));
});
afterEach(() => rm(root, { recursive: true }));

test("what a session needs is in a private directory, and gone with the session", async () => {
  const host = { env: { HOME: root }, dataDir: root } as unknown as AgentHost;
  const mcp = { lamp: { type: "local", command: "lamp" } };
  const session = { sessionId: "s/1", directory: "/w", env: {}, mcp } as unknown as SessionConfig;
  const files = await makeSessionFiles(host, session);
  const { settingsFile, mcpFile } = await writeLaunchFiles(host, session, files.directory, "/socket");
  expect(settingsFile.startsWith(files.directory)).toBe(true);
  expect((await stat(files.directory)).mode & 0o777).toBe(0o700);
  expect((await stat(settingsFile)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(mcpFile!, "utf8"))).toEqual({ lamp: { command: "lamp", args: [], env: {} } });
  const { "amp.permissions": rules } = JSON.parse(await readFile(settingsFile, "utf8"));
  expect((await stat(rules.at(-1).to)).mode & 0o777).toBe(0o700);
  await files.remove();
  await expect(stat(files.directory)).rejects.toThrow("ENOENT");
});

test("MCP servers as Amp takes them", () => {
  const remote = { type: "remote", url: "https://m.example/mcp" } as const;
  expect(mcpConfig({}, {})).toBeUndefined();
  expect(mcpConfig({ off: { ...remote, enabled: false } }, {})).toBeUndefined();
  expect(mcpConfig({ r: { ...remote, bearerTokenEnvVar: "T", transport: "sse" } }, { T: "t" })).toEqual({
    r: { url: "https://m.example/mcp", headers: { Authorization: "Bearer t" }, transport: "sse" },
  });
  expect(() => mcpConfig({ r: { ...remote, bearerTokenEnvVar: "T" } }, {})).toThrow("needs the variable T");
  const { l } = mcpConfig({ l: { type: "local", command: "x", args: ["1"], cwd: "/c" } }, {}) as {
    l: { args: string[] };
  };
  expect(l.args.slice(-3)).toEqual(["/c", "x", "1"]);
});

test("images go with the message, other files are named, instructions come first", async () => {
  await writeFile(join(root, "a.png"), "png");
  const attachments = [{ path: "a.png" }, { path: "b.txt", filename: "b", mime: "text/plain" }];
  const input = { turnId: "t", message: "Look.", attachments };
  const content = await promptContent(input, { directory: root, instructions: "Be kind.", takesImages: true });
  expect(content).toEqual([
    { type: "text", text: "<instructions>\nBe kind.\n</instructions>" },
    { type: "text", text: `Look.\n\nAttached files:\n- ${root}/b.txt (b, text/plain)` },
    {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "cG5n" },
      source_path: join(root, "a.png"),
    },
  ]);
  const named = await promptContent(input, { directory: root, takesImages: false });
  expect(plainText(named)).toContain(`- ${root}/a.png`);
  const missing = { ...input, attachments: [{ path: "none.png" }] };
  const read = promptContent(missing, { directory: root, takesImages: true });
  await expect(read).rejects.toMatchObject({ code: "invalid_request" });
});

test("it is worth starting where there is a key, and on a Mac, whose keychain may have one", async () => {
  expect([await maySignIn({ HOME: root }, "linux"), await maySignIn({ HOME: root }, "darwin")]).toEqual([false, true]);
  expect(await maySignIn({ HOME: root, AMP_API_KEY: "k" }, "linux")).toBe(true);
});
