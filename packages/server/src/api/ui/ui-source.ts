import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** Where the web inspector's files come from. */
export interface UiSource {
  /** The names of all files there are now, relative and with slashes; none when it is not built. */
  names(): readonly string[];
  /** The bytes of a file; only called with one of the names. */
  read(name: string): Promise<Uint8Array>;
}

/** The regular files below a directory, which may be built while the daemon runs. */
export function uiFolder(directory: string): UiSource {
  return {
    names: () => fileNames(directory),
    read: (name) => readFile(join(directory, name)),
  };
}

function fileNames(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/"));
  } catch {
    return [];
  }
}
