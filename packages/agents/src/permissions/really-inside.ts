import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** As many as Linux follows. */
const MOST_LINKS = 40;

/**
 * Whether a file would be written inside of the directory, wherever links lead: also a link at the end of which there is
 * nothing yet. The directory itself is not inside. Looks at the disk, since names alone do not say it.
 */
export function isReallyInside(directory: string, path: string): boolean {
  const place = realPlace(resolve(directory, path), MOST_LINKS);
  if (place === undefined) return false;
  const inside = relative(realPlace(directory, MOST_LINKS) ?? directory, place);
  return inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

/** Where a write to the path would end up; `undefined` for links without end and what may not be looked at. */
function realPlace(path: string, links: number): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || links === 0) return undefined;
  }
  const target = danglingTarget(path);
  if (target !== undefined) return realPlace(target, links - 1);
  if (dirname(path) === path) return path;
  const above = realPlace(dirname(path), links);
  return above === undefined ? undefined : join(above, basename(path));
}

function danglingTarget(path: string): string | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  return resolve(realPlace(dirname(path), MOST_LINKS) ?? dirname(path), readlinkSync(path));
}
