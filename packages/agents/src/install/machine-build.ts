import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Platform } from "./agent-program.ts";
import { currentPlatform } from "./platform.ts";

/** A platform, or a build of programs for its x64 processors without AVX2. */
export type MachineBuild = Platform | `${Platform & `${string}-x64${string}`}-baseline`;

/** What this machine can run, the best first: on an old processor a build for such, where there is one, else the usual one. */
export function machineBuilds(hasAvx2: () => boolean = hasAvx2Here): readonly MachineBuild[] {
  const platform = currentPlatform();
  if (!isX64(platform) || hasAvx2()) return [platform];
  return [`${platform}-baseline`, platform];
}

/** What is for this machine, of things by build. */
export function forThisMachine<T>(
  things: Readonly<Partial<Record<MachineBuild, T>>>,
  builds: readonly MachineBuild[] = machineBuilds(),
): T | undefined {
  return builds.map((build) => things[build]).find((thing) => thing !== undefined);
}

function isX64(platform: Platform): platform is Platform & `${string}-x64${string}` {
  return platform.includes("-x64");
}

let known: boolean | undefined;

function hasAvx2Here(): boolean {
  known ??= lookForAvx2();
  return known;
}

/** Where nothing says, the processor is taken for one of the last ten years. */
function lookForAvx2(): boolean {
  try {
    if (process.platform === "linux") return saysAvx2(readFileSync("/proc/cpuinfo", "utf8"));
    if (process.platform !== "darwin") return true;
    return execFileSync("sysctl", ["-n", "hw.optional.avx2_0"], { encoding: "utf8", timeout: 5_000 }).trim() !== "0";
  } catch {
    return true;
  }
}

export function saysAvx2(cpuinfo: string): boolean {
  const flags = /^flags\s*:(.*)$/m.exec(cpuinfo)?.[1];
  return flags === undefined || /\bavx2\b/.test(flags);
}
