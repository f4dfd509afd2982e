/** Feared: a program that is called installed and cannot work, because what it starts is missing. */
import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InstallerWorld, packageName, toolFiles, toolProgram } from "./__fixtures__/installer-world.ts";
import type { AgentProgram } from "./agent-program.ts";
import { ensureProgram } from "./ensure-program.ts";
import { locateProgram } from "./locate-program.ts";
import { currentPlatform } from "./platform.ts";

const engine: AgentProgram = {
  name: "engine",
  version: "2.0.0",
  source: { kind: "npm", packages: { [currentPlatform()]: { name: packageName, binary: "bin/tool" } } },
};
const program: AgentProgram = { ...toolProgram(), needs: [engine] };

test("what a program needs is installed with it, and again when it is lost", async () => {
  const world = await InstallerWorld.create(["1.0.0", "2.0.0"]);
  const { path } = await ensureProgram(program, world);
  expect(await locateProgram(engine, world)).toMatchObject({ version: "2.0.0", source: "installed" });
  await rm(join(world.installRoot, "engine"), { recursive: true });
  expect(await ensureProgram(program, world)).toMatchObject({ path, version: "1.0.0" });
  expect(await locateProgram(engine, world)).toMatchObject({ version: "2.0.0" });
});

test("what is there already, in whatever version, is left alone, also when the program is installed anew", async () => {
  const world = await InstallerWorld.create(["1.0.0", "2.0.0"]);
  await world.publish(toolFiles("1.5.0"), { version: "1.5.0" });
  const own = await world.install({ version: "1.5.0" }, engine);
  await world.install({ reinstall: true }, program);
  expect(own).toMatchObject((await locateProgram(engine, world))!);
  expect(readdirSync(join(world.installRoot, "engine"))).toEqual(["1.5.0"]);
});

test("what it needs cannot be had: the installation says so, for the agent that was asked for", async () => {
  const world = await InstallerWorld.create(["1.0.0"]);
  await expect(world.install({}, program)).rejects.toMatchObject({
    code: "install_failed",
    agent: "tool",
    message: expect.stringContaining('has no version "2.0.0"'),
  });
  expect(await locateProgram(program, world)).toBeUndefined();
});
