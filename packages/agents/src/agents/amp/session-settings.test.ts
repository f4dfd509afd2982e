import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionConfig } from "../../agent.ts";
import { permissionModeOf, refuseOverrides, sessionSettings } from "./session-settings.ts";
import { readUserSettings, readWorkspaceSettings, withoutComments } from "./user-settings.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "amp-settings-"));
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(root, path, ".."), { recursive: true });
  await writeFile(join(root, path), text);
}

test("ours lie over the user's, which stay where they do not meet", () => {
  const user = { "amp.proxy": "http://p", "amp.dangerouslyAllowAll": true, "amp.skills.path": "/mine" };
  const settings = sessionSettings(user, "default", { helper: "/h", skillsDir: "/s" });
  expect(settings).toMatchObject({
    "amp.proxy": "http://p",
    "amp.dangerouslyAllowAll": false,
    "amp.skills.path": "/s:/mine",
    "amp.updates.mode": "disabled",
  });
  expect(sessionSettings({}, "bypass", { helper: "/h" })).toMatchObject({ "amp.dangerouslyAllowAll": true });
  expect(sessionSettings({}, "bypass", { helper: "/h" })).not.toHaveProperty("amp.skills.path");
});

test("the agent mode plan is kept by the permission mode plan", () => {
  const mode = (agentMode: string) => permissionModeOf({ agentMode, permissionMode: "bypass" } as SessionConfig);
  expect([mode("plan"), mode("build"), mode("high")]).toEqual(["plan", "bypass", "bypass"]);
});

test.each([
  ["plan", { "amp.permissions": [{ tool: "*", action: "allow" }] }, true],
  ["plan", { "amp.permissions": [{ tool: "*", action: "reject" }] }, false],
  ["default", { "amp.permissions": [{ tool: "*", action: "allow" }] }, true],
  ["default", { "amp.permissions": [{ tool: "*", action: "ask" }] }, false],
  ["default", { "amp.dangerouslyAllowAll": true }, true],
  ["acceptEdits", { "amp.dangerouslyAllowAll": true }, true],
  ["bypass", { "amp.dangerouslyAllowAll": true }, false],
  ["plan", { "amp.permissions": "all" }, false],
  ["default", { "amp.mcpPermissions": [] }, true],
] as const)("in %s, the directory's %j is refused: %s", (mode, workspace, isRefused) => {
  const refuse = () => refuseOverrides(workspace, mode);
  if (isRefused) expect(refuse).toThrow(/settings of this directory/);
  else expect(refuse).not.toThrow();
});

test("the user's settings are where Amp looks for them, with comments", async () => {
  expect(await readUserSettings({ HOME: root })).toEqual({});
  await write(".config/amp/settings.jsonc", '{ // mine\n "amp.url": "http://x//y", /* two */ "a": ["/*"],\n }');
  expect(await readUserSettings({ HOME: root })).toEqual({ "amp.url": "http://x//y", a: ["/*"] });
  await write("xdg/amp/settings.json", '{"b": 1}');
  expect(await readUserSettings({ HOME: root, XDG_CONFIG_HOME: join(root, "xdg") })).toEqual({ b: 1 });
  await write("other.json", '{"c": 1}');
  expect(await readUserSettings({ HOME: root, AMP_SETTINGS_FILE: join(root, "other.json") })).toEqual({ c: 1 });
  expect(await readUserSettings({})).toEqual({});
});

test("the directory's settings are the nearest, and not those above its repository", async () => {
  await write(".amp/settings.json", '{"above": 1}');
  await write("repository/.git/HEAD", "ref");
  await mkdir(join(root, "repository/src/deep"), { recursive: true });
  expect(await readWorkspaceSettings(join(root, "repository/src/deep"))).toEqual({});
  await write("repository/.amp/settings.jsonc", '{"root": 1}');
  expect(await readWorkspaceSettings(join(root, "repository/src/deep"))).toEqual({ root: 1 });
  await write("repository/src/.amp/settings.json", '{"near": 1}');
  expect(await readWorkspaceSettings(join(root, "repository/src/deep"))).toEqual({ near: 1 });
});

test("what is no JSON at all stays so", () => expect(withoutComments("nonsense")).toBe("nonsense"));
