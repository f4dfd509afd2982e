/** Feared: a JavaScript program that runs with another Node, other dependencies, or only where it was installed. */
import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InstallerWorld, packageName, temporaryDirectory, withoutPauses } from "./__fixtures__/installer-world.ts";
import type { AgentProgram, NodeDependency } from "./agent-program.ts";
import { ensureProgram } from "./ensure-program.ts";
import { locateProgram } from "./locate-program.ts";
import { currentPlatform } from "./platform.ts";

const entry = "dist/tool.js";

function nodeProgram(dependencies?: readonly NodeDependency[]): AgentProgram {
  const source = { kind: "npm-node", package: packageName, entry } as const;
  return { name: "tool", version: "1.0.0", source: dependencies ? { ...source, dependencies } : source };
}

/** Prints its version, then as JSON what a test gives it to say. */
const script = (says: string, imports = "") =>
  `${imports}\nconst version = "1.0.0";\nconsole.log(version, JSON.stringify(${says}));\n`;

const files = (content: string) => ({ [entry]: content, "package.json": `{"type":"module"}` });

function run(path: string, args: readonly string[] = [], env = process.env): unknown {
  const printed = execFileSync(path, args, { encoding: "utf8", env });
  return JSON.parse(printed.slice("1.0.0 ".length));
}

async function worldWith(content: string): Promise<InstallerWorld> {
  const world = await InstallerWorld.create([]);
  await world.publish(files(content));
  return world;
}

describe("a package that Node runs", () => {
  test("is started through a launcher that is found and recorded like any program", async () => {
    const world = await worldWith(script("[process.execPath, process.argv.slice(2)]"));
    const located = await world.install({}, nodeProgram());
    expect(located).toMatchObject({ version: "1.0.0", source: "installed" });
    expect(run(located.path, ["a b", "$HOME", "'"])).toEqual([process.execPath, ["a b", "$HOME", "'"]]);
    expect(located).toMatchObject((await locateProgram(nodeProgram(), world))!);
    const record = JSON.parse(await readFile(join(located.path, "../../install.json"), "utf8"));
    expect(record).toMatchObject({ package: packageName, says: "1.0.0", binary: "tool" });
  });

  test("is one process: the launcher becomes Node", async () => {
    const world = await worldWith(script("process.ppid"));
    expect(run((await world.install({}, nodeProgram())).path)).toBe(process.pid);
  });

  test("runs where it was moved to, from any directory, and with the Node on PATH when its own is gone", async () => {
    const world = await worldWith(script("[import.meta.url, process.env.IS_OTHER_NODE ?? null]"));
    const { path } = await world.install({}, nodeProgram());
    const moved = join(await temporaryDirectory(), "it's moved");
    await cp(join(path, ".."), moved, { recursive: true });
    rmSync(world.installRoot, { recursive: true });
    const launcher = join(moved, "tool");
    expect(run(launcher)).toEqual([expect.stringContaining("moved/node_modules/@agents/tool/dist"), null]);
    const bin = await temporaryDirectory();
    await writeFile(join(bin, "node"), `#!/bin/sh\nIS_OTHER_NODE=1 exec '${process.execPath}' "$@"\n`, { mode: 0o755 });
    await writeFile(launcher, (await readFile(launcher, "utf8")).replace(process.execPath, "/nowhere/node"));
    expect(run(launcher, [], { PATH: `${bin}:/bin` })).toEqual([expect.anything(), "1"]);
  });

  test("that does not run is not installed", async () => {
    const world = await worldWith(`import "missing";`);
    await expect(world.install({}, nodeProgram())).rejects.toMatchObject({
      code: "install_failed",
      details: { step: "verify", stderr: expect.stringContaining("missing") },
    });
    expect(readdirSync(join(world.installRoot, "tool", "1.0.0"))).toEqual([]);
  });
});

describe("a package that wants a newer Node than ours", () => {
  const node = '#!/bin/sh\nIS_NEWER_NODE=1 exec "$REAL_NODE" "$@"\n';
  const real = { ...process.env, REAL_NODE: process.execPath };
  const program = (major: number): AgentProgram => {
    const packages = { [currentPlatform()]: "node-of-tests" };
    const source = {
      kind: "npm-node",
      package: packageName,
      entry,
      node: { version: `${major}.0.0`, packages },
    } as const;
    return { name: "tool", version: "1.0.0", source };
  };
  const ours = Number.parseInt(process.versions.node, 10);

  async function newerWorld(): Promise<InstallerWorld> {
    const world = await worldWith(script("process.env.IS_NEWER_NODE ?? null"));
    world.env.REAL_NODE = process.execPath;
    for (const major of [ours, ours + 1, ours + 2]) {
      const files = { "bin/node": node };
      await world.registry.publish({ name: "node-of-tests", version: `${major}.0.0`, files });
    }
    return world;
  }

  test("runs with one that is installed beside it, and has that after an update of what it wants", async () => {
    const world = await newerWorld();
    const { path } = await world.install({}, program(ours + 1));
    expect(run(path, [], real)).toBe("1");
    expect(await locateProgram(program(ours + 1), world)).toMatchObject({ path });
    expect(await locateProgram(program(ours + 2), world)).toBeUndefined();
  });

  test("runs with ours where that is new enough", async () => {
    const world = await newerWorld();
    const { path } = await world.install({}, program(ours));
    expect(run(path, [], real)).toBe(null);
    expect(await locateProgram(program(ours), world)).toMatchObject({ path });
    expect(await locateProgram(program(ours + 1), world)).toBeUndefined();
  });

  test("is refused with what to do where there is none for this machine", async () => {
    const world = await newerWorld();
    const { source, ...rest } = program(ours + 1);
    const nowhere = {
      ...rest,
      source: { ...source, node: { version: `${ours + 1}.0.0`, packages: {} } },
    } as AgentProgram;
    await expect(world.install({}, nowhere)).rejects.toThrow(`tool needs Node ${ours + 1} or newer`);
  });
});

describe("its dependencies", () => {
  const pinned = [
    { name: "left", version: "1.0.0" },
    { name: "right", version: "2.0.0" },
    { name: "right", version: "1.0.0", within: "left" },
  ];
  const imports = `import { left } from "left"; import { right } from "right";`;
  const library = (content: string) => ({ "index.js": content, "package.json": `{"type":"module","main":"index.js"}` });

  async function treeWorld(): Promise<InstallerWorld> {
    const world = await worldWith(script("[left, right]", imports));
    const left = library(`import { right } from "right"; export const left = "left with " + right;`);
    await world.registry.publish({ name: "left", version: "1.0.0", files: left });
    for (const version of ["1.0.0", "2.0.0", "3.0.0"]) {
      const right = library(`export const right = "right ${version}";`);
      await world.registry.publish({ name: "right", version, files: right });
    }
    return world;
  }

  test("are the exact versions listed, each where it belongs, from the cache the next time", async () => {
    const world = await treeWorld();
    const { path } = await world.install({}, nodeProgram(pinned));
    expect(run(path)).toEqual(["left with right 1.0.0", "right 2.0.0"]);
    await world.registry.close();
    const again = await world.install({ reinstall: true }, nodeProgram(pinned));
    expect(run(again.path)).toEqual(["left with right 1.0.0", "right 2.0.0"]);
  });

  test("that are for other platforms are left out, and those for this one are not", async () => {
    const world = await treeWorld();
    const elsewhere = currentPlatform() === "darwin-x64" ? "linux-x64" : "darwin-x64";
    const located = await world.install(
      {},
      nodeProgram([
        ...pinned.slice(0, 2),
        { ...pinned[2]!, platforms: [currentPlatform(), elsewhere] },
        { name: "nowhere", version: "1.0.0", platforms: [elsewhere] },
      ]),
    );
    expect(run(located.path)).toEqual(["left with right 1.0.0", "right 2.0.0"]);
  });

  test("that a newer description names are added to what an older one installed", async () => {
    const world = await treeWorld();
    await world.install({}, nodeProgram(pinned));
    const program = nodeProgram([...pinned, { name: "right", version: "3.0.0", within: "@agents/tool" }]);
    expect(await locateProgram(program, world)).toBeUndefined();
    const { path } = await ensureProgram(program, world, { limits: withoutPauses });
    expect(run(path)).toEqual(["left with right 1.0.0", "right 3.0.0"]);
    expect(await locateProgram(program, world)).toMatchObject({ path });
  });

  test("that one cannot get leave nothing behind", async () => {
    const world = await treeWorld();
    const program = nodeProgram([...pinned, { name: "nowhere", version: "1.0.0" }]);
    await expect(world.install({}, program)).rejects.toMatchObject({ code: "install_failed" });
    expect(await locateProgram(program, world)).toBeUndefined();
    expect(readdirSync(join(world.installRoot, "tool", "1.0.0"))).toEqual([]);
  });

  test("whose bytes are not what the registry said are refused", async () => {
    const world = await treeWorld();
    const dist = { integrity: `sha512-${Buffer.alloc(64).toString("base64")}` };
    await world.registry.publish({ name: "right", version: "2.0.0", files: library("export const right = 0;"), dist });
    await expect(world.install({}, nodeProgram(pinned))).rejects.toMatchObject({ details: { step: "download" } });
  });

  test("are known for one version of the program; another is refused", async () => {
    const world = await treeWorld();
    await expect(world.install({ version: "1.1.0" }, nodeProgram(pinned))).rejects.toMatchObject({
      code: "install_failed",
      message: "tool can only be installed as 1.0.0, with what that version needs.",
    });
  });
});
