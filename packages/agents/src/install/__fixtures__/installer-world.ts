import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NpmRegistry, type PackageFiles } from "@sandbox-agent-ts/testing";
import { onTestFinished } from "vitest";
import type { AgentProgram, NpmPackage } from "../agent-program.ts";
import { type InstallOptions, type InstallResult, installProgram } from "../install-program.ts";
import { defaultNetworkLimits } from "../network-limits.ts";
import { currentPlatform } from "../platform.ts";

/** Tries as often as always, but at once. */
export const withoutPauses = {
  ...defaultNetworkLimits,
  retryPausesMs: defaultNetworkLimits.retryPausesMs.map(() => 1),
};

export const packageName = "@agents/tool";

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "sandbox-agent-install-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}

/** A program for this platform, whichever it is. */
export function toolProgram(source: Partial<NpmPackage> = {}): AgentProgram {
  const npm = { name: packageName, binary: "bin/tool", ...source };
  return { name: "tool", version: "1.0.0", source: { kind: "npm", packages: { [currentPlatform()]: npm } } };
}

/** A package whose program says its version, and a word that a test knows it by. */
export function toolFiles(version: string, word = "hello"): Record<string, string> {
  return {
    "bin/tool": `#!/bin/sh\necho "tool ${version} ${word}"\n`,
    "package.json": JSON.stringify({ name: packageName, version }),
  };
}

/** A registry that has the tool, and an empty machine to install it on. */
export class InstallerWorld {
  readonly registry: NpmRegistry;
  readonly directory: string;
  readonly env: Record<string, string | undefined>;
  readonly installRoot: string;

  private constructor(registry: NpmRegistry, directory: string) {
    this.registry = registry;
    this.directory = directory;
    this.installRoot = join(directory, "programs");
    this.env = {
      PATH: process.env.PATH,
      HOME: join(directory, "home"),
      SANDBOX_AGENT_NPM_REGISTRY: registry.url,
      SANDBOX_AGENT_CACHE_DIR: join(directory, "cache"),
    };
  }

  static async create(versions: readonly string[] = ["1.0.0"]): Promise<InstallerWorld> {
    const registry = await NpmRegistry.start();
    onTestFinished(() => registry.close());
    const world = new InstallerWorld(registry, await temporaryDirectory());
    await mkdir(world.env.HOME!);
    for (const version of versions) await world.publish(toolFiles(version), { version });
    return world;
  }

  get packages(): string {
    return join(this.env.SANDBOX_AGENT_CACHE_DIR!, "packages");
  }

  publish(files: PackageFiles, { version = "1.0.0", dist = {} } = {}): Promise<void> {
    return this.registry.publish({ name: packageName, version, files, dist });
  }

  install(options: InstallOptions = {}, program = toolProgram()): Promise<InstallResult> {
    return installProgram(program, this, { limits: withoutPauses, ...options });
  }
}
