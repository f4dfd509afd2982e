import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import { systemSettings } from "./system-settings.ts";

type Given = Partial<AcpPlace["session"]> & {
  trustsDirectory?: boolean;
  machine?: string;
  user?: string;
  dotEnv?: string;
};

async function settingsOf({ trustsDirectory = true, machine = "{}", user = "{}", dotEnv = "", ...session }: Given) {
  const root = await mkdtemp(join(tmpdir(), "qwen-settings-"));
  onTestFinished(() => rm(root, { recursive: true }));
  await mkdir(join(root, ".qwen"));
  await writeFile(join(root, ".qwen", "settings.json"), user);
  await writeFile(join(root, "machine.json"), machine);
  const env = { HOME: root, QWEN_CODE_SYSTEM_SETTINGS_PATH: join(root, "machine.json") };
  const directory = join(root, "work");
  await mkdir(directory);
  await writeFile(join(directory, ".env"), dotEnv);
  const all = { permissionMode: "default", agentMode: "build", directory, ...session };
  const place = { env, host: { dataDir: join(root, "data") }, session: all };
  const prepared = await systemSettings(place as unknown as AcpPlace, trustsDirectory);
  const read = async (name: string) => JSON.parse(await readFile(prepared[name] ?? "", "utf8").catch(() => "null"));
  return {
    settings: await read("QWEN_CODE_SYSTEM_SETTINGS_PATH"),
    folders: await read("QWEN_CODE_TRUSTED_FOLDERS_PATH"),
  };
}

test("while it plans it asks before whatever changes something", async () => {
  for (const session of [{ permissionMode: "plan" }, { agentMode: "plan", permissionMode: "bypass" }] as const) {
    const { settings } = await settingsOf(session);
    expect(settings.permissions.ask).toEqual(expect.arrayContaining(["Bash", "Edit", "Write", "Agent", "mcp__*"]));
  }
});

test("it asks before a subagent begins, unless everything is allowed or its subagents ask themselves", async () => {
  expect((await settingsOf({})).settings.permissions.ask).toEqual(["Agent"]);
  expect((await settingsOf({ permissionMode: "bypass" })).settings.permissions.ask).toEqual([]);
  expect((await settingsOf({ trustsDirectory: false })).settings.permissions.ask).toEqual([]);
  expect((await settingsOf({ asksEverything: true })).settings.permissions.ask).toContain("Read");
});

test("a directory that is not trusted is none for the program, and runs no hooks", async () => {
  const { settings, folders } = await settingsOf({ trustsDirectory: false });
  expect(settings).toMatchObject({ security: { folderTrust: { enabled: true } }, disableAllHooks: true });
  expect(Object.entries(folders)).toEqual([[expect.stringMatching(/\/work$/), "DO_NOT_TRUST"]]);
  expect((await settingsOf({})).folders).toBeNull();
});

test("what the machine really has stays", async () => {
  const machine = JSON.stringify({ privacy: { usageStatisticsEnabled: false }, permissions: { ask: ["WebFetch"] } });
  const { settings } = await settingsOf({ machine });
  expect(settings).toMatchObject({
    privacy: { usageStatisticsEnabled: false },
    permissions: { ask: ["WebFetch", "Agent"] },
  });
});

test("variables in a file of the directory are left out, all of them", async () => {
  const dotEnv = 'PORT=1\nexport BASH_ENV = "x"\n  NODE_OPTIONS: y\n# NOT_ONE\n';
  const { settings } = await settingsOf({ dotEnv });
  const names = ["DEBUG", "DEBUG_MODE", "PORT", "BASH_ENV", "NODE_OPTIONS"];
  expect(settings.advanced.excludedEnvVars).toEqual(names);
});

test("a user who trusts every directory is told what to change", async () => {
  const user = '{ "security": { "folderTrust": { "enabled": false } } }';
  await expect(settingsOf({ user, trustsDirectory: false })).rejects.toMatchObject({ code: "permission_denied" });
  expect((await settingsOf({ user })).settings).not.toHaveProperty("security");
});
