import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Names, kinds, modes, times and contents of everything below a directory, for comparing before and after. */
export function treeSnapshot(directory: string): Record<string, string> {
  const seen: Record<string, string> = {};
  const visit = (path: string) => {
    const stats = lstatSync(path, { bigint: true });
    seen[path] = `${stats.mode} ${stats.nlink} ${stats.mtimeNs} ${contentOf(path, stats)}`;
    if (stats.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name));
  };
  visit(directory);
  return seen;
}

function contentOf(path: string, stats: BigIntStats): string {
  if (stats.isSymbolicLink()) return readlinkSync(path);
  return stats.isFile() ? readFileSync(path, "latin1") : "";
}
