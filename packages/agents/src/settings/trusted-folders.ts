import { dirname, relative } from "node:path";
import { readSettings } from "./json-settings.ts";

/**
 * Has the user trusted the directory in the agent itself? The file says it by folder: `TRUST_FOLDER`, `TRUST_PARENT` or
 * `DO_NOT_TRUST`; the nearest folder counts.
 */
export async function isTrustedFolder(file: string, directory: string): Promise<boolean> {
  const rules = Object.entries(await readSettings(file)).map(([path, level]) => ({
    folder: level === "TRUST_PARENT" ? dirname(path) : path,
    trusts: level === "TRUST_FOLDER" || level === "TRUST_PARENT",
  }));
  const holding = rules.filter(({ folder }) => isWithin(folder, directory));
  return holding.toSorted((one, other) => other.folder.length - one.folder.length)[0]?.trusts ?? false;
}

function isWithin(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below === "" || !/^\.\.(?:[/\\]|$)|^[/\\]/.test(below);
}
