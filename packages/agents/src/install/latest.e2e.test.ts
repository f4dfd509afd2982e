/** Feared: a version that changes by itself, or a lookup where none is needed. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InstallerWorld, packageName, toolFiles, toolProgram, withoutPauses } from "./__fixtures__/installer-world.ts";
import type { AgentProgram } from "./agent-program.ts";
import { ensureProgram } from "./ensure-program.ts";
import { newestVersion } from "./sources/newest-version.ts";

const latest = { version: "latest", limits: withoutPauses };

test("is looked up each time, and installed and recorded under its number", async () => {
  const world = await InstallerWorld.create(["1.0.0", "1.1.0"]);
  expect(await world.install(latest)).toMatchObject({ version: "1.1.0" });
  await world.publish(toolFiles("1.2.0"), { version: "1.2.0" });
  expect(await ensureProgram(toolProgram(), world, latest)).toMatchObject({ version: "1.2.0", source: "installed" });
  expect(await ensureProgram(toolProgram(), world, latest)).toMatchObject({ version: "1.2.0" });
  expect(readdirSync(join(world.installRoot, "tool")).sort()).toEqual(["1.1.0", "1.2.0"]);
  expect(world.registry.count("archive")).toBe(2);
});

test("is not looked up for a program that the environment names", async () => {
  const world = await InstallerWorld.create();
  world.env.SANDBOX_AGENT_TOOL_BIN = "/bin/sh";
  expect(await ensureProgram(toolProgram(), world, latest)).toMatchObject({ path: "/bin/sh", source: "environment" });
  expect(world.registry.requests).toEqual([]);
});

test("of a program whose needs are known for one version is that one", async () => {
  const world = await InstallerWorld.create();
  const source = { kind: "npm-node", package: packageName, entry: "x.js", dependencies: [] } as const;
  const program: AgentProgram = { ...toolProgram(), source };
  expect(await newestVersion(program, world.env, withoutPauses)).toBe("1.0.0");
  expect(world.registry.requests).toEqual([]);
});

test.each([
  ["nothing", {}, /does not say which version/],
  ["what is no version", { "dist-tags": { latest: "../../etc" } }, /says that "\.\.\/\.\.\/etc" is the latest/],
])("%s in its place installs nothing, and the agent is named", async (_what, metadata, sentence) => {
  const world = await InstallerWorld.create();
  world.registry.intercept = (_request, response) => {
    response.end(JSON.stringify(metadata));
    return true;
  };
  await expect(world.install(latest)).rejects.toMatchObject({
    code: "install_failed",
    agent: "tool",
    message: expect.stringMatching(sentence),
    details: { step: "resolve" },
  });
});
