/** Feared: another program than the one that was meant, or a program that is started on every look. */
import { chmod, mkdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryDirectory, toolProgram } from "./__fixtures__/installer-world.ts";
import type { ProgramPlace } from "./agent-program.ts";
import { type InstallRecord, recordName } from "./installed-programs.ts";
import { locateProgram, probeProgram, requireProgram } from "./locate-program.ts";
import { currentPlatform } from "./platform.ts";

let directory: string;
let place: ProgramPlace & { env: Record<string, string | undefined> };

beforeEach(async () => {
  directory = await temporaryDirectory();
  place = { env: { PATH: join(directory, "bin") }, installRoot: join(directory, "programs") };
});

/** Writes down each time it is started. */
async function writeProgram(path: string, version: string): Promise<string> {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, `#!/bin/sh\necho x >> "${path}.runs"\necho "tool ${version} (a build)"\n`);
  await chmod(path, 0o755);
  return path;
}

const runs = async (path: string) => (await readFile(`${path}.runs`, "utf8").catch(() => "")).length / 2;

const onPath = (version = "3.0.0") => writeProgram(join(directory, "bin", "tool"), version);

async function named(version = "4.0.0"): Promise<string> {
  const path = await writeProgram(join(directory, "named"), version);
  place.env.SANDBOX_AGENT_TOOL_BIN = path;
  return path;
}

async function installed(version: string, record: Partial<InstallRecord> = {}): Promise<string> {
  const folder = join(place.installRoot, "tool", version);
  const whole = { version, platform: currentPlatform(), folder: "files", binary: "tool", installedAt: 1, ...record };
  const path = await writeProgram(join(folder, "files", "tool"), version);
  await writeFile(join(folder, recordName), JSON.stringify(whole));
  return path;
}

const locate = (version?: string) => locateProgram(toolProgram(), place, version);

describe("the order", () => {
  test("the variable, then what is installed, then PATH, then nothing", async () => {
    const paths = { environment: await named(), installed: await installed("1.0.0"), path: await onPath() };
    expect(await locate()).toEqual({ path: paths.environment, version: "4.0.0", source: "environment" });
    delete place.env.SANDBOX_AGENT_TOOL_BIN;
    expect(await locate()).toEqual({ path: paths.installed, version: "1.0.0", source: "installed" });
    await rm(place.installRoot, { recursive: true });
    expect(await locate()).toEqual({ path: paths.path, version: "3.0.0", source: "path" });
    await rm(paths.path);
    expect(await locate()).toBeUndefined();
  });

  test("of those installed: the version asked for, else ours, else the one installed last", async () => {
    await installed("0.8.0", { installedAt: 3 });
    await installed("0.9.0", { installedAt: 5 });
    expect(await locate()).toMatchObject({ version: "0.9.0" });
    await installed("1.0.0", { installedAt: 4 });
    expect(await locate()).toMatchObject({ version: "1.0.0" });
    expect(await locate("0.8.0")).toMatchObject({ version: "0.8.0" });
    expect(await locate("7.7.7")).toBeUndefined();
    await onPath("7.7.7");
    expect(await locate("7.7.7")).toMatchObject({ version: "7.7.7", source: "path" });
    expect(await locate("7.7.8")).toBeUndefined();
  });

  test("an agent with a dash has a variable with an underscore", async () => {
    const path = await writeProgram(join(directory, "other"), "1.0.0");
    place.env.SANDBOX_AGENT_MY_TOOL_BIN = path;
    expect(await locateProgram({ ...toolProgram(), name: "my-tool" }, place)).toMatchObject({ path });
  });
});

test("on PATH it is looked for by its command, where that is another than its name", async () => {
  const path = await writeProgram(join(directory, "bin", "tool-command"), "1.0.0");
  await onPath();
  expect(await locateProgram({ ...toolProgram(), command: "tool-command" }, place)).toMatchObject({ path });
});

test("an installed program is not there without what it needs; one of somebody else has it", async () => {
  const program = { ...toolProgram(), needs: [{ ...toolProgram(), name: "engine" }] };
  await installed("1.0.0");
  expect(await locateProgram(program, place)).toBeUndefined();
  const path = await onPath();
  expect(await locateProgram(program, place)).toMatchObject({ path, source: "path" });
  await writeProgram(join(directory, "bin", "engine"), "2.0.0");
  expect(await locateProgram(program, place)).toMatchObject({ source: "installed" });
});

describe("what is not taken for the program", () => {
  test("an installation for another kind of machine, one without its file, one without its record", async () => {
    await installed("1.0.0", { platform: "plan9-vax" });
    await installed("1.1.0", { binary: "gone" });
    await rm(join(place.installRoot, "tool", "1.2.0", recordName), { force: true });
    await mkdir(join(place.installRoot, "tool", "1.2.0", "files"), { recursive: true });
    await writeFile(join(place.installRoot, "tool", "install.lock"), "{}");
    expect(await locate()).toBeUndefined();
  });

  test("on PATH: what may not be run, a folder, what a relative entry leads to; a link is followed", async () => {
    const target = await writeProgram(join(directory, "target"), "5.0.0");
    const places = ["plain", "folder", "dangling", "good"].map((name) => join(directory, name));
    const [plain, folder, dangling, good] = places as [string, string, string, string];
    for (const path of [plain, join(folder, "tool"), dangling, good]) await mkdir(path, { recursive: true });
    await writeFile(join(plain, "tool"), "no program", { mode: 0o644 });
    await symlink(join(directory, "nowhere"), join(dangling, "tool"));
    await symlink(target, join(good, "tool"));
    place.env.PATH = [relative(".", good), "", plain, folder, dangling, good].join(":");
    expect(await locate()).toMatchObject({ path: join(good, "tool"), version: "5.0.0" });
    place.env.PATH = [relative(".", good), ""].join(":");
    expect(await locate()).toBeUndefined();
  });
});

describe("a variable that names no program", () => {
  test("is an error that says so, even if there is another program; only probing stays calm", async () => {
    await onPath();
    place.env.SANDBOX_AGENT_TOOL_BIN = "/nowhere/tool";
    await expect(locate()).rejects.toMatchObject({
      code: "agent_not_installed",
      agent: "tool",
      message:
        "SANDBOX_AGENT_TOOL_BIN names /nowhere/tool, which is not a file that can be run. Correct it or unset it.",
    });
    expect(await probeProgram(toolProgram(), place)).toEqual({ installed: false });
  });

  test("is no variable when it is empty", async () => {
    place.env.SANDBOX_AGENT_TOOL_BIN = "";
    expect(await locate()).toBeUndefined();
  });
});

describe("the version", () => {
  test("is asked of a file once, however often and from however many sides, and again when the file is another", async () => {
    const path = await onPath("3.0.0");
    await Promise.all([locate(), locate(), locate()]);
    expect(await runs(path)).toBe(1);
    await writeProgram(path, "3.1.0");
    await utimes(path, new Date(), new Date(Date.now() + 5_000));
    expect(await locate()).toMatchObject({ version: "3.1.0" });
    expect(await runs(path)).toBe(2);
  });

  test("of an installed program is known without starting it", async () => {
    const path = await installed("1.0.0");
    expect(await probeProgram(toolProgram(), place)).toEqual({
      installed: true,
      version: "1.0.0",
      path,
      source: "installed",
    });
    expect(await runs(path)).toBe(0);
  });

  test("is absent when the program does not say it or does not run", async () => {
    const path = await onPath();
    for (const script of [
      "#!/bin/sh\necho no number\n",
      "#!/bin/sh\necho 1.2.3; exit 1\n",
      "#!/nowhere/interpreter\n",
    ]) {
      await writeFile(path, script);
      expect(await locate()).toEqual({ path, source: "path" });
    }
  });

  test("is found as the description says", async () => {
    await onPath("3.0.0-beta.1+g7618fb");
    expect(await locate()).toMatchObject({ version: "3.0.0-beta.1+g7618fb" });
    const sentence = await writeProgram(join(directory, "bin", "speaker"), "1.0.102.");
    expect(await locateProgram({ ...toolProgram(), command: "speaker" }, place)).toMatchObject({
      path: sentence,
      version: "1.0.102",
    });
    const path = await named();
    await writeFile(path, '#!/bin/sh\necho "node v20.0.0, tool build-77: $*"\n');
    const special = {
      ...toolProgram(),
      versionArgs: ["version", "-s"],
      versionPattern: /tool (build-\d+: version -s)/,
    };
    expect(await locateProgram(special, place)).toMatchObject({ version: "build-77: version -s" });
  });
});

test("whoever cannot go on without the program is told how to get it", async () => {
  await expect(requireProgram(toolProgram(), place)).rejects.toMatchObject({
    code: "agent_not_installed",
    agent: "tool",
    message: expect.stringContaining("sandbox-agent install-agent tool"),
  });
  await expect(requireProgram(toolProgram(), place, "2.0.0")).rejects.toMatchObject({
    code: "agent_not_installed",
    message: expect.stringContaining("sandbox-agent install-agent tool@2.0.0"),
  });
  const path = await onPath();
  expect(await requireProgram(toolProgram(), place)).toMatchObject({ path });
});
