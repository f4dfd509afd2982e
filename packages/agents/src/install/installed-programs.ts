import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { readRegularText } from "../files/read-regular-file.ts";
import { currentPlatform } from "./platform.ts";
import type { SourceName } from "./sources/program-source.ts";

/**
 * What `<install root>/<name>/<version>/install.json` says. The files are in a folder beside it whose name is not used
 * twice; replacing this one small file is what makes an installation appear, and another take its place, in one step.
 */
export interface InstallRecord {
  readonly version: string;
  readonly platform: string;
  /** Which kind of place it came from; absent in older records, which are all of the registry. */
  readonly from?: SourceName;
  readonly package: string;
  readonly integrity: string;
  /** What the program answered when it was asked for its version. */
  readonly says: string | null;
  readonly folder: string;
  /** Inside the folder. */
  readonly binary: string;
  /** The other packages in it, as `name@version`. */
  readonly dependencies?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly installedAt: number;
}

export interface InstalledProgram extends InstallRecord {
  readonly path: string;
}

export const recordName = "install.json";

export function versionFolder(installRoot: string, name: string, version: string): string {
  return join(installRoot, name, version);
}

/** The program of this version; not one for another kind of machine, as a directory that two machines share may hold. */
export async function readInstalled(
  installRoot: string,
  name: string,
  version: string,
): Promise<InstalledProgram | undefined> {
  const folder = versionFolder(installRoot, name, version);
  try {
    const record = JSON.parse(await readRegularText(join(folder, recordName))) as InstallRecord;
    const path = join(folder, record.folder, record.binary);
    const isHere = record.platform === currentPlatform() && (await stat(path)).isFile();
    return isHere ? { ...record, path } : undefined;
  } catch {
    return undefined;
  }
}

/** Every version that is there, the one installed last first. */
export async function listInstalled(installRoot: string, name: string): Promise<InstalledProgram[]> {
  const versions = await readdir(join(installRoot, name)).catch(() => []);
  const found = await Promise.all(versions.map((version) => readInstalled(installRoot, name, version)));
  return found.filter((program) => program !== undefined).sort((a, b) => b.installedAt - a.installedAt);
}
