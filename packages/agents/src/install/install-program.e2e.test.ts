/** Feared: half an installation, the wrong version, a download that was not needed, a program that nobody removes. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  InstallerWorld,
  packageName,
  temporaryDirectory,
  toolFiles,
  toolProgram,
} from "./__fixtures__/installer-world.ts";
import { ensureProgram } from "./ensure-program.ts";
import { installProgram } from "./install-program.ts";
import { locateProgram } from "./locate-program.ts";
import { currentPlatform } from "./platform.ts";

const wordOf = (path: string) => execFileSync(path, { encoding: "utf8" }).trim();

describe("an installation", () => {
  test("puts the program into a folder of its version, ready to run, and says so in a record", async () => {
    const world = await InstallerWorld.create();
    const { artifacts, ...located } = await world.install();
    const home = join(world.installRoot, "tool", "1.0.0");
    expect(located).toEqual({ path: located.path, version: "1.0.0", source: "installed" });
    const { path } = located;
    expect(artifacts).toEqual([
      { program: "tool", version: "1.0.0", path, origin: "download", downloadedBytes: expect.any(Number) },
    ]);
    expect(artifacts[0]?.downloadedBytes).toBeGreaterThan(0);
    expect(located.path.startsWith(home)).toBe(true);
    expect(wordOf(located.path)).toBe("tool 1.0.0 hello");
    expect(await locateProgram(toolProgram(), world)).toEqual(located);
    const record = JSON.parse(await readFile(join(home, "install.json"), "utf8"));
    expect(record).toEqual({
      version: "1.0.0",
      platform: currentPlatform(),
      from: "npm",
      package: packageName,
      integrity: expect.stringMatching(/^sha512-/),
      says: "1.0.0",
      folder: expect.stringMatching(/^[0-9a-f]{8}$/),
      binary: "bin/tool",
      installedAt: expect.closeTo(Date.now(), -5),
    });
    expect(readdirSync(home).sort()).toEqual([record.folder, "install.json"].sort());
    expect(readdirSync(join(world.installRoot, "tool"))).toEqual(["1.0.0"]);
    expect(existsSync(join(home, record.folder, "package.json"))).toBe(true);
  });

  test("that is there already needs nothing, not even a network", async () => {
    const world = await InstallerWorld.create();
    const { path } = await world.install();
    await world.registry.close();
    const artifacts = [{ program: "tool", version: "1.0.0", path, origin: "present", downloadedBytes: 0 }];
    expect(await world.install()).toEqual({ path, version: "1.0.0", source: "installed", artifacts });
    expect(world.registry.requests).toHaveLength(2);
  });

  test("takes the package that is for this platform, in its own spelling of the version", async () => {
    const world = await InstallerWorld.create();
    await world.publish(toolFiles("2.0.0"), { version: "2.0.0-for-here" });
    const program = toolProgram({ version: "{version}-for-here" });
    const { path, version } = await world.install({ version: "2.0.0" }, program);
    expect([version, wordOf(path)]).toEqual(["2.0.0", "tool 2.0.0 hello"]);
  });

  test("makes the program executable, and what was so in the package, and nothing else", async () => {
    const world = await InstallerWorld.create([]);
    const content = toolFiles("1.0.0")["bin/tool"]!;
    await world.publish([
      { name: "package/", type: "directory" },
      { name: "package/bin/tool", content, mode: 0o644 },
      { name: "package/bin/side", content, mode: 0o750 },
      { name: "package/readme", content, mode: 0o666 },
    ]);
    const { path } = await world.install();
    const modes = ["bin/tool", "bin/side", "readme"].map((name) => statSync(join(path, "../..", name)).mode & 0o111);
    expect(modes.map((mode) => mode !== 0)).toEqual([true, true, false]);
  });

  test("strips whatever the package calls its folder", async () => {
    const world = await InstallerWorld.create([]);
    await world.publish([{ name: "tool-1.0.0/bin/tool", content: toolFiles("1.0.0")["bin/tool"]! }]);
    expect(wordOf((await world.install()).path)).toBe("tool 1.0.0 hello");
  });
});

describe("the cache", () => {
  test("spares a second machine's directory the network altogether", async () => {
    const world = await InstallerWorld.create();
    await world.install();
    await world.registry.close();
    const elsewhere = { env: world.env, installRoot: await temporaryDirectory() };
    expect(wordOf((await installProgram(toolProgram(), elsewhere)).path)).toBe("tool 1.0.0 hello");
  });

  test("is of one registry: another may have another package of that name", async () => {
    const [one, other] = [await InstallerWorld.create([]), await InstallerWorld.create([])];
    await one.publish(toolFiles("1.0.0", "one"));
    await other.publish(toolFiles("1.0.0", "other"));
    other.env.SANDBOX_AGENT_CACHE_DIR = one.env.SANDBOX_AGENT_CACHE_DIR;
    expect(wordOf((await one.install()).path)).toBe("tool 1.0.0 one");
    expect(wordOf((await other.install()).path)).toBe("tool 1.0.0 other");
  });

  test("has the same files as the installed program, not their bytes a second time, and no archive", async () => {
    const world = await InstallerWorld.create();
    const { path } = await world.install();
    const elsewhere = { env: world.env, installRoot: await temporaryDirectory() };
    const { path: other, artifacts } = await installProgram(toolProgram(), elsewhere);
    const [folder, ...more] = readdirSync(world.packages).filter((name) => !name.endsWith(".json"));
    expect([folder, more]).toEqual([expect.stringMatching(/^@agents\+tool@1\.0\.0-[0-9a-f]{16}$/), []]);
    const inodes = [path, other, join(world.packages, folder!, "bin/tool")].map((file) => statSync(file).ino);
    expect(new Set(inodes).size).toBe(1);
    expect(artifacts).toMatchObject([{ origin: "cache", downloadedBytes: 0 }]);
  });

  test("whose files were changed is not believed, and is mended by the next installation", async () => {
    const world = await InstallerWorld.create();
    const { path } = await world.install();
    await writeFile(path, "#!/bin/sh\necho changed in place\n");
    expect(wordOf((await world.install({ reinstall: true })).path)).toBe("tool 1.0.0 hello");
    expect(world.registry.count("archive")).toBe(2);
    await world.registry.close();
    expect(wordOf((await world.install({ reinstall: true })).path)).toBe("tool 1.0.0 hello");
  });

  test("takes an archive that was left in it, and does not believe a damaged one", async () => {
    const world = await InstallerWorld.create();
    await world.install();
    const [folder] = readdirSync(world.packages).filter((name) => !name.endsWith(".json"));
    const archive = join(world.packages, `${folder}.tgz`);
    const bytes = await (await fetch(`${world.registry.url}@agents/tool/-/1.0.0.tgz`)).arrayBuffer();
    const reinstallFrom = async (content: Uint8Array) => {
      await rm(join(world.packages, folder!), { recursive: true });
      await writeFile(archive, content);
      return (await world.install({ reinstall: true })).artifacts[0]?.origin;
    };
    expect(await reinstallFrom(new Uint8Array(bytes))).toBe("cache");
    expect(await reinstallFrom(Buffer.from("damaged"))).toBe("download");
    expect(existsSync(archive)).toBe(false);
  });

  test("that cannot be written is done without", async () => {
    const world = await InstallerWorld.create();
    await writeFile(world.env.SANDBOX_AGENT_CACHE_DIR!, "a file where the directory should be");
    expect(wordOf((await world.install()).path)).toBe("tool 1.0.0 hello");
  });

  test("keeps two versions of a package, and no half ones of the dead", async () => {
    const versions = ["1.0.0", "1.1.0", "1.2.0", "1.3.0"];
    const world = await InstallerWorld.create(versions);
    await world.install({ version: "1.0.0" });
    const dead = join(world.packages, "dead.tgz.partial-abc");
    const alive = join(world.packages, "alive.tgz.partial-def");
    for (const file of [dead, alive]) await writeFile(file, "half");
    execFileSync("touch", ["-d", "1 hour ago", dead]);
    for (const version of versions.slice(1)) await world.install({ version });
    const kept = readdirSync(world.packages).filter((name) => !name.endsWith(".json"));
    expect(kept.map((name) => name.replace(/-[0-9a-f]{16}/, "")).sort()).toEqual([
      "@agents+tool@1.2.0",
      "@agents+tool@1.3.0",
      "alive.tgz.partial-def",
    ]);
  });
});

describe("several versions", () => {
  test("stand beside each other, and none is removed: a session may have begun with it", async () => {
    const world = await InstallerWorld.create(["1.0.0", "1.1.0", "1.2.0", "1.3.0"]);
    for (const version of ["1.0.0", "1.1.0", "1.2.0", "1.3.0"]) await world.install({ version });
    expect(readdirSync(join(world.installRoot, "tool")).sort()).toEqual(["1.0.0", "1.1.0", "1.2.0", "1.3.0"]);
    expect(await locateProgram(toolProgram(), world, "1.1.0")).toMatchObject({ version: "1.1.0" });
  });

  test("ensureProgram installs the exact version that is asked for, and anything when none is", async () => {
    const world = await InstallerWorld.create(["1.0.0", "1.1.0"]);
    const ensure = (version?: string) => ensureProgram(toolProgram(), world, version === undefined ? {} : { version });
    expect(await ensure("1.1.0")).toMatchObject({ version: "1.1.0" });
    expect(await ensure()).toMatchObject({ version: "1.1.0" });
    expect(await ensure("1.0.0")).toMatchObject({ version: "1.0.0" });
    expect(await ensure()).toMatchObject({ version: "1.0.0" });
    expect(world.registry.count("archive")).toBe(2);
  });
});

describe("a reinstallation", () => {
  test("fetches anew what was damaged, in a folder of its own, and the old one is gone", async () => {
    const world = await InstallerWorld.create();
    const first = await world.install();
    await writeFile(first.path, "#!/bin/sh\necho damaged\n");
    const second = await world.install({ reinstall: true });
    expect(wordOf(second.path)).toBe("tool 1.0.0 hello");
    expect(existsSync(first.path)).toBe(false);
    expect(second).toMatchObject((await locateProgram(toolProgram(), world))!);
  });

  test("that fails leaves what was there", async () => {
    const world = await InstallerWorld.create([]);
    await world.publish(toolFiles("1.0.0"));
    const first = await world.install();
    await world.publish({ "bin/tool": "#!/bin/sh\nexit 7\n" });
    const env = { ...world.env, SANDBOX_AGENT_CACHE_DIR: await temporaryDirectory() };
    const again = installProgram(toolProgram(), { ...world, env, installRoot: world.installRoot }, { reinstall: true });
    await expect(again).rejects.toMatchObject({ details: { step: "verify" } });
    expect(first).toMatchObject((await locateProgram(toolProgram(), world))!);
    expect(wordOf(first.path)).toBe("tool 1.0.0 hello");
    expect(readdirSync(join(world.installRoot, "tool", "1.0.0"))).toHaveLength(2);
  });
});
