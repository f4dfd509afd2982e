import { posix } from "node:path";
import { type Pack, pack } from "tar-stream";
import { type SandboxFile, SandboxProviderError } from "../sandbox-provider.ts";
import { inside, volumeRoot } from "./inside.ts";
import type { Owner } from "./start-archive.ts";

const places = [inside.workspace, inside.home, inside.data];
/** How Go marks a directory in a mode. */
const directoryBit = 0x80000000;

/**
 * Files as a tar for the root of the volume, with the directories on the way that are missing. Those that are there are let
 * be, and where a link or a file is in the place of one it is refused.
 */
export async function writeArchive(
  files: readonly SandboxFile[],
  owner: Owner,
  modeOf: (path: string) => Promise<number | undefined>,
): Promise<Pack> {
  const paths = files.map(({ path }) => checked(path));
  const archive = pack();
  for (const directory of await missingDirectories(paths, modeOf)) {
    archive.entry({ name: relative(directory), type: "directory", mode: modeFor(directory), ...owner });
  }
  for (const [index, { data, mode = 0o644 }] of files.entries()) {
    archive.entry({ name: relative(paths[index]!), mode: mode & 0o777, ...owner }, Buffer.from(data));
  }
  archive.finalize();
  return archive;
}

const relative = (path: string) => path.slice(volumeRoot.length + 1);
const modeFor = (directory: string) => ((places as readonly string[]).includes(directory) ? 0o700 : 0o755);

function checked(path: string): string {
  const normal = posix.normalize(path);
  const isInside = places.some((place) => normal.startsWith(`${place}/`)) && !normal.endsWith("/");
  if (!isInside) throw refusal(path, `it must name a file below ${places.join(", ")}`);
  return normal;
}

/** Parents before their children. */
async function missingDirectories(
  paths: readonly string[],
  modeOf: (path: string) => Promise<number | undefined>,
): Promise<readonly string[]> {
  const known = new Map<string, "there" | "missing">([[volumeRoot, "there"]]);
  const look = async (directory: string): Promise<"there" | "missing"> => {
    const before = known.get(directory);
    if (before !== undefined) return before;
    const parent = await look(posix.dirname(directory));
    const mode = parent === "missing" ? undefined : await modeOf(directory);
    if (mode !== undefined && (mode & directoryBit) === 0) throw refusal(directory, "a part of it is a link or a file");
    const found = mode === undefined ? "missing" : "there";
    known.set(directory, found);
    return found;
  };
  for (const path of paths) await look(posix.dirname(path));
  return [...known].filter(([, found]) => found === "missing").map(([directory]) => directory);
}

function refusal(path: string, why: string): SandboxProviderError {
  return new SandboxProviderError("failed", `${JSON.stringify(path)} cannot be written: ${why}.`);
}
