/** Feared: a machine without a network that cannot be given files, or one that takes the wrong ones. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { packageArchive } from "@sandbox-agent-ts/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { InstallerWorld, packageName, toolFiles, toolProgram } from "../__fixtures__/installer-world.ts";
import type { AgentProgram } from "../agent-program.ts";
import { currentPlatform } from "../platform.ts";

let world: InstallerWorld;
let directory: string;

beforeEach(async () => {
  world = await InstallerWorld.create(["1.1.0"]);
  directory = join(world.directory, "handed over");
  world.env.SANDBOX_AGENT_OFFLINE_DIR = directory;
});

async function put(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(directory, file)), { recursive: true });
  await writeFile(join(directory, file), content);
}

const packed = (version: string, word?: string) => packageArchive(toolFiles(version, word));
const wordOf = (path: string) => execFileSync(path, { encoding: "utf8" }).trim();
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** The same program, whose vendor has it as one file. */
const withVendor: AgentProgram = {
  ...toolProgram(),
  vendor: {
    files: { [currentPlatform()]: { target: "here", file: "tool-here", archive: { kind: "raw" }, binary: "tool" } },
    hosts: [
      {
        newest: { kind: "text", url: "http://127.0.0.1:9/latest" },
        url: "http://127.0.0.1:9/{version}/{file}",
        checksum: { kind: "bare", url: "http://127.0.0.1:9/{version}/sum" },
      },
    ],
  },
};

describe("a package as npm packs it", () => {
  test("is taken without a network, and left where it is", async () => {
    await world.registry.close();
    await put("agents-tool-1.0.0.tgz", await packed("1.0.0", "handed over"));
    const { path, artifacts } = await world.install();
    expect(wordOf(path)).toBe("tool 1.0.0 handed over");
    expect(artifacts).toMatchObject([{ origin: "cache", downloadedBytes: 0 }]);
    expect(await readdir(directory)).toEqual(["agents-tool-1.0.0.tgz"]);
    const record = join(world.installRoot, "tool", "1.0.0", "install.json");
    expect(JSON.parse(await readFile(record, "utf8"))).toMatchObject({ from: "directory", package: packageName });
  });

  test("of another version is not: the next source is asked, unless there is to be none", async () => {
    await put("agents-tool-1.0.0.tgz", await packed("1.0.0"));
    expect(wordOf((await world.install({ version: "1.1.0" })).path)).toBe("tool 1.1.0 hello");
    world.env.SANDBOX_AGENT_SOURCES = "directory";
    await expect(world.install({ version: "1.2.0" })).rejects.toMatchObject({
      message: expect.stringMatching(/handed over does not have tool: put agents-tool-1\.2\.0\.tgz there/),
      details: { step: "resolve" },
    });
    expect(world.registry.count("archive")).toBe(1);
  });

  test("is held to the sums beside it", async () => {
    const archive = await packed("1.0.0");
    world.env.SANDBOX_AGENT_SOURCES = "directory";
    await put("agents-tool-1.0.0.tgz", archive);
    await put("SHA256SUMS", `${sha256(Buffer.from("other"))}  ./agents-tool-1.0.0.tgz\n`);
    await expect(world.install()).rejects.toMatchObject({ message: expect.stringContaining("is not what") });
    await put("SHA256SUMS", "");
    await expect(world.install()).rejects.toMatchObject({ message: expect.stringContaining("not listed there") });
    await put("SHA256SUMS", `${sha256(archive)} *agents-tool-1.0.0.tgz\n`);
    await world.install();
  });

  test("that is no archive installs nothing", async () => {
    await put("agents-tool-1.0.0.tgz", "<html>");
    await expect(world.install()).rejects.toMatchObject({ details: { step: "unpack" } });
    expect(await readdir(join(world.installRoot, "tool", "1.0.0"))).toEqual([]);
  });
});

test("a program of Node with what it needs is taken only whole", async () => {
  const program: AgentProgram = {
    name: "tool",
    version: "1.0.0",
    source: {
      kind: "npm-node",
      package: packageName,
      entry: "tool.js",
      dependencies: [{ name: "left", version: "2.0.0" }],
    },
  };
  world.env.SANDBOX_AGENT_SOURCES = "directory";
  const main = await packageArchive({ "tool.js": `require("left");`, "package.json": "{}" });
  await put("agents-tool-1.0.0.tgz", main);
  await expect(world.install({}, program)).rejects.toThrow(/put agents-tool-1\.0\.0\.tgz and left-2\.0\.0\.tgz there/);
  const left = { "index.js": `console.log("tool 1.0.0 left");`, "package.json": "{}" };
  await put("left-2.0.0.tgz", await packageArchive(left));
  expect(wordOf((await world.install({}, program)).path)).toBe("tool 1.0.0 left");
});

test("a vendor's file in a folder of its version is taken", async () => {
  world.env.SANDBOX_AGENT_SOURCES = "directory";
  await expect(world.install({}, withVendor)).rejects.toThrow(
    /put agents-tool-1\.0\.0\.tgz, or tool-1\.0\.0\/tool-here there/,
  );
  await put("tool-1.0.0/tool-here", toolFiles("1.0.0", "of its vendor")["bin/tool"]!);
  const { path } = await world.install({}, withVendor);
  expect(wordOf(path)).toBe("tool 1.0.0 of its vendor");
});
