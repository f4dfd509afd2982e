/** Feared: a package that is published and not found, not for its platform, or not complete. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { writePlatformPackage } from "./platform-package.mjs";
import { executableName, platforms } from "./platforms.mjs";

let executables: string;

beforeEach(() => {
  executables = mkdtempSync(join(tmpdir(), "sandbox-agent-exe-"));
  onTestFinished(() => rmSync(executables, { recursive: true }));
  writeFileSync(join(executables, "LICENSE-node.txt"), "of Node");
  writeFileSync(join(executables, "THIRD-PARTY-NOTICES.txt"), "of others");
});

/** The package of this platform, made from a file that stands for its executable. */
function packageFor(platform: string): string {
  writeFileSync(join(executables, executableName(platform)), platform, { mode: 0o755 });
  return writePlatformPackage(platform, executables);
}

test.each(Object.keys(platforms))("%s: only for its system, in the version of the CLI", (platform) => {
  const manifest = JSON.parse(readFileSync(join(packageFor(platform), "package.json"), "utf8"));
  const cli = JSON.parse(readFileSync(new URL("../../packages/cli/package.json", import.meta.url), "utf8"));
  const [os, cpu] = platform.split("-");
  expect(manifest).toMatchObject({ name: `${cli.name}-${platform}`, version: cli.version, os: [os], cpu: [cpu] });
  expect(manifest.publishConfig).toEqual({ access: "public" });
  expect(manifest.libc).toEqual(os === "linux" ? ["glibc"] : undefined);
});

test.each([
  ["linux-arm64", "bin/sandbox-agent"],
  ["win32-x64", "bin/sandbox-agent.exe"],
])("what npm packs of %s is the executable, all licences and a page", (platform, binary) => {
  const printed = execFileSync("npm", ["pack", "--dry-run", "--json"], {
    cwd: packageFor(platform),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [packed] = Object.values(JSON.parse(printed) as Record<string, { files: { path: string; mode: number }[] }>);
  const files = packed!.files.map(({ path }) => path).sort();
  expect(files).toEqual(
    ["LICENSE", "LICENSE-node.txt", "README.md", "THIRD-PARTY-NOTICES.txt", binary, "package.json"].sort(),
  );
  expect(packed!.files.find(({ path }) => path === binary)!.mode & 0o111).not.toBe(0);
});
