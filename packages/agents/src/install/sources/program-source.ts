import type { AgentProgram } from "../agent-program.ts";
import type { FetchedPackage } from "../fetch-package.ts";
import type { OnStep } from "../install-progress.ts";
import type { NetworkLimits } from "../network-limits.ts";
import type { NpmOfMachine } from "../npm-registry.ts";
import type { PackageCache } from "../package-cache.ts";
import type { ProgramPart, ProgramParts } from "../program-parts.ts";

/** Which kind of place a program comes from. */
export type SourceName = "directory" | "npm" | "vendor";

/** What a source is opened with. */
export interface SourceContext {
  readonly program: AgentProgram;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cache: PackageCache;
  readonly limits: NetworkLimits;
  /** How npm is configured here; it takes a moment, and is asked for once. */
  npm(): Promise<NpmOfMachine>;
}

/** A place that a program may come from, opened for one installation of one version. */
export interface OpenedSource {
  readonly name: SourceName;
  /** What has to be fetched. Throws where this source has nothing for this machine. */
  readonly whole: ProgramParts;
  /** Its files are ours, to be kept unpacked in the cache. */
  readonly isCached: boolean;
  fetchPart(part: ProgramPart, onStep: OnStep): Promise<FetchedPackage>;
  /** What was fetched turned out to be of no use. */
  forget(): Promise<void>;
}
