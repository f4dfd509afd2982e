import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";

export interface ReplacedFolder {
  /** The directory of programs as it is named inside and here. */
  readonly place: string;
  /** What is seen there. */
  readonly from: string;
  /** Where the programs really are, inside. */
  readonly original: string;
}

const folders = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin"];

/** Directories of links to all programs of this machine but some: made in `target`, to be put in place of the real ones. */
export function withoutPrograms(names: readonly string[], target: string): readonly ReplacedFolder[] {
  const hiding = folders.filter((folder) => names.some((name) => existsSync(join(folder, name))));
  return hiding.map((place) => {
    const key = place.replaceAll("/", "-").slice(1);
    const from = join(target, key);
    const original = `/run/box/${key}`;
    mkdirSync(from, { recursive: true });
    for (const name of readdirSync(place)) {
      if (names.includes(name)) continue;
      const path = join(place, name);
      // A link is relative to where it stands, and that stays the same.
      symlinkSync(lstatSync(path).isSymbolicLink() ? readlinkSync(path) : `${original}/${name}`, join(from, name));
    }
    return { place, from, original };
  });
}
