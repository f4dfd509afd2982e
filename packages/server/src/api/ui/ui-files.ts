/** How a file was compressed beforehand, best first, and how its name says so. */
const compressions = [
  { encoding: "br", suffix: ".br" },
  { encoding: "gzip", suffix: ".gz" },
] as const;

type Encoding = (typeof compressions)[number]["encoding"];

export interface UiFile {
  readonly name: string;
  /** The names of compressed forms of it, best first. */
  readonly compressed: readonly { readonly encoding: Encoding; readonly name: string }[];
}

/**
 * The files by name, with their compressed forms. Requests are only ever looked up here: no path is made from what a
 * client sent, so that none can lead outside.
 */
export function uiFilesByName(all: readonly string[]): ReadonlyMap<string, UiFile> {
  const names = new Set(all);
  const isForm = (name: string) =>
    compressions.some(({ suffix }) => name.endsWith(suffix) && names.has(name.slice(0, -suffix.length)));
  const files = all.filter((name) => !isForm(name)).map((name) => uiFile(name, names));
  return new Map(files.map((file) => [file.name, file]));
}

function uiFile(name: string, names: ReadonlySet<string>): UiFile {
  const forms = compressions.filter(({ suffix }) => names.has(name + suffix));
  return { name, compressed: forms.map(({ encoding, suffix }) => ({ encoding, name: name + suffix })) };
}
