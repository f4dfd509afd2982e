import { access, constants, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** The first file of this name on the search path that may be run. */
export async function findOnPath(name: string, searchPath: string | undefined): Promise<string | undefined> {
  // A relative entry would mean another file in every working directory.
  for (const directory of (searchPath ?? "").split(delimiter).filter(isAbsolute)) {
    const path = join(directory, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
