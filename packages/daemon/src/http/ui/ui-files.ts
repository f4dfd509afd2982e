import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** How a file was compressed beforehand, best first, and how its name says so. */
const compressions = [
  { encoding: "br", suffix: ".br" },
  { encoding: "gzip", suffix: ".gz" },
] as const;

type Encoding = (typeof compressions)[number]["encoding"];

export interface UiFile {
  /** Relative to the directory, with slashes. */
  readonly name: string;
  readonly path: string;
  /** Where compressed forms of it are, best first. */
  readonly compressed: readonly { readonly encoding: Encoding; readonly path: string }[];
}

/**
 * The regular files below a directory, by name. Requests are only ever looked up here: no path is made from what a
 * client sent, so that none can lead outside.
 */
export function listUiFiles(directory: string): ReadonlyMap<string, UiFile> {
  const names = new Set(fileNames(directory));
  const isForm = (name: string) =>
    compressions.some(({ suffix }) => name.endsWith(suffix) && names.has(name.slice(0, -suffix.length)));
  const files = [...names].filter((name) => !isForm(name)).map((name) => uiFile(directory, name, names));
  return new Map(files.map((file) => [file.name, file]));
}

function uiFile(directory: string, name: string, names: ReadonlySet<string>): UiFile {
  const forms = compressions.filter(({ suffix }) => names.has(name + suffix));
  const compressed = forms.map(({ encoding, suffix }) => ({ encoding, path: join(directory, name + suffix) }));
  return { name, path: join(directory, name), compressed };
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
