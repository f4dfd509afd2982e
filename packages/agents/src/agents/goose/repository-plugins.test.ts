import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import { ignoredPlugins, isSwitchedOff, withoutRepositoryPlugins } from "./repository-plugins.ts";

async function makePlace(session: object = {}): Promise<AcpPlace & { home: string; directory: string }> {
  const root = await mkdtemp(join(tmpdir(), "goose-plugins-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const [home, directory] = [join(root, "home"), join(root, "work")];
  await mkdir(join(home, ".config", "goose"), { recursive: true });
  await mkdir(directory);
  const place = {
    env: { HOME: home },
    session: { directory, agentMode: "build", permissionMode: "default", ...session },
  };
  return { ...place, home, directory } as unknown as AcpPlace & { home: string; directory: string };
}

test("plugins of the repository are switched off, and the user's own are as the user has set them", async () => {
  const place = await makePlace();
  const [own, off] = ["own", "off"].map((name) => join(place.home, ".agents", "plugins", name));
  const brought = join(place.directory, ".agents", "plugins", "brought");
  const linked = join(place.directory, ".agents", "plugins", "linked");
  for (const folder of [own!, off!, brought]) await mkdir(folder, { recursive: true });
  await symlink(brought, linked);
  await writeFile(join(place.directory, ".agents", "plugins", "README.md"), "");
  await writeFile(join(place.home, ".config", "goose", "config.yaml"), `plugins:\n  ${off}:\n    enabled: false\n`);
  expect(JSON.parse((await withoutRepositoryPlugins(place)).PLUGINS!)).toEqual({
    [own!]: { enabled: true },
    [off!]: { enabled: false },
    [brought]: { enabled: false },
    [linked]: { enabled: false },
  });
  expect((await ignoredPlugins(place))?.asked).toEqual(["the plugin brought", "the plugin linked"]);
});

test("nothing is said of a repository without plugins, and nothing withheld where nothing is asked", async () => {
  const without = await makePlace();
  expect([await withoutRepositoryPlugins(without), await ignoredPlugins(without)]).toEqual([{}, undefined]);
  for (const [agentMode, count] of [
    ["build", 0],
    ["plan", 1],
  ] as const) {
    const place = await makePlace({ permissionMode: "bypass", agentMode });
    await mkdir(join(place.directory, ".agents", "plugins", "brought"), { recursive: true });
    expect(Object.keys(await withoutRepositoryPlugins(place))).toHaveLength(count);
  }
});

test("a path that YAML wants quoted is found", () => {
  expect(isSwitchedOff("plugins:\n  '/a: b''s':\n    enabled: false\n", "/a: b's")).toBe(true);
  expect(isSwitchedOff("plugins:\n  /a:\n    enabled: true\n", "/a")).toBe(false);
});
