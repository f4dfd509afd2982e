import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { executableName, platformPackage, thisPlatform } from "../../../../scripts/exe/platforms.mjs";
import { resolveBinary } from "./resolve-binary.ts";

const inEnvironment = { SANDBOX_AGENT_BIN: "/opt/other" };

/** A `node_modules` folder with these files in it. */
function modules(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-agent-sdk-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), contents);
  }
  return folder;
}

const executable = join(platformPackage(thisPlatform).name, platformPackage(thisPlatform).binary);
const cli = "@sandbox-agent-ts/cli/bin/cli.cjs";
const cliPackage = { "@sandbox-agent-ts/cli/package.json": `{"bin":{"sandbox-agent":"bin/cli.cjs"}}`, [cli]: "" };

test("the given program wins over the environment's, and that over packages", () => {
  const folders = () => [modules({ [executable]: "", ...cliPackage })];
  expect(resolveBinary("/opt/mine", inEnvironment, folders)).toEqual({ command: "/opt/mine", args: [] });
  expect(resolveBinary(undefined, inEnvironment, folders)).toEqual({ command: "/opt/other", args: [] });
});

test("without both it is the executable of the package for this platform, wherever the CLI's is", () => {
  const [near, far] = [modules(cliPackage), modules({ [executable]: "" })];
  expect(resolveBinary(undefined, {}, () => [near, far])).toEqual({ command: join(far, executable), args: [] });
  expect(resolveBinary(undefined, { SANDBOX_AGENT_BIN: "" }, () => [far]).command).toBe(join(far, executable));
});

test("a package for another platform does not count", () => {
  const other = platformPackage(thisPlatform === "linux-arm64" ? "linux-x64" : "linux-arm64");
  const folder = modules({ [join(other.name, other.binary)]: "", ...cliPackage });
  expect(resolveBinary(undefined, {}, () => [folder]).args).toEqual([join(folder, cli)]);
});

test("else it is the CLI's package, run by this Node", () => {
  const folder = modules(cliPackage);
  const { command, args } = resolveBinary(undefined, {}, () => ["/nowhere", folder]);
  expect([command, ...args]).toEqual([process.execPath, join(folder, cli)]);
});

test("in this workspace that is found from here", () => {
  const { command, args } = resolveBinary(undefined, {});
  expect(command).toBe(process.execPath);
  expect(args[0]).toMatch(join("@sandbox-agent-ts", "cli", "bin", "sandbox-agent.cjs"));
});

test.each([
  ["no package", {}],
  ["a package without a program", { "@sandbox-agent-ts/cli/package.json": "{}" }],
  ["a package that was not built", { "@sandbox-agent-ts/cli/package.json": `{"bin":"bin/cli.cjs"}` }],
])("with %s it is what PATH has", (_, files: Readonly<Record<string, string>>) => {
  const folder = modules(files);
  expect(resolveBinary(undefined, {}, () => [folder])).toEqual({ command: "sandbox-agent", args: [] });
});

test.each(["cli.js", "cli.mjs", "cli.cjs"])("%s is run by this Node", (file) => {
  expect(resolveBinary(file, {})).toEqual({ command: process.execPath, args: [file] });
});

test("the executables are named as the install script and the documentation say", () => {
  expect(executableName("linux-x64")).toBe("sandbox-agent-linux-x64");
  expect(executableName("win32-x64")).toBe("sandbox-agent-win32-x64.exe");
});
