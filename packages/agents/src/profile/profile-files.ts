import { createHash } from "node:crypto";
import { mkdir, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { AgentProfile, ProfileFile, ProfileLoss } from "@sandbox-agent-ts/protocol";
import { readRegularFile } from "../files/read-regular-file.ts";
import { exists, repositoryFolders } from "../files/repository-folders.ts";

/** By path, the hash of what was written there. */
export type PlacedFiles = Readonly<Record<string, string>>;

/** The profile's skills, a folder for each; whatever was there is gone. */
export async function writeProfileSkills({ skills }: AgentProfile, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [name, { files }] of Object.entries(skills ?? {})) {
    for (const [path, file] of Object.entries(files)) await write(join(folder, name, path), file, "w");
  }
}

/**
 * The profile's files in the session's directory, where nothing is in their place. Not in a repository: there they could be
 * committed, so they are told as lost.
 */
export async function placeProfileFiles(
  { files }: AgentProfile,
  directory: string,
): Promise<{ placed: PlacedFiles; losses: ProfileLoss[] }> {
  const named = Object.entries(files ?? {});
  if (named.length === 0) return { placed: {}, losses: [] };
  if (await isInRepository(directory)) {
    const reason = "The directory of the session is in a git repository, into which nothing of a profile is written.";
    return { placed: {}, losses: [{ entity: "files", reason }] };
  }
  const placed: Record<string, string> = {};
  const losses: ProfileLoss[] = [];
  for (const [name, file] of named) {
    const why = await place(directory, name, file);
    if (why === undefined) placed[name] = digest(bytesOf(file));
    else if (!(await isThere(join(directory, name), file))) losses.push({ entity: "files", name, reason: why });
  }
  return { placed, losses };
}

/** Those that are still as they were written, with the folders that are empty then. */
export async function removeProfileFiles(directory: string, placed: PlacedFiles): Promise<void> {
  for (const [name, hash] of Object.entries(placed)) {
    const path = join(directory, name);
    const bytes = (await isInside(directory, dirname(path)))
      ? await readRegularFile(path).catch(() => undefined)
      : undefined;
    if (bytes === undefined || digest(bytes) !== hash) continue;
    await rm(path, { force: true });
    await removeEmpty(directory, dirname(name));
  }
}

async function place(directory: string, name: string, file: ProfileFile): Promise<string | undefined> {
  const path = join(directory, name);
  try {
    if (!(await isInside(directory, await deepestThere(dirname(path))))) return "A link leads out of the directory.";
    await write(path, file, "wx");
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "EEXIST" ? "There is something in its place already." : `It cannot be written: ${code ?? message}.`;
  }
}

/** The same, by whomever. */
async function isThere(path: string, file: ProfileFile): Promise<boolean> {
  const bytes = await readRegularFile(path).catch(() => undefined);
  return bytes?.equals(bytesOf(file)) === true;
}

async function write(path: string, file: ProfileFile, flag: "w" | "wx"): Promise<void> {
  const isExecutable = typeof file !== "string" && file.executable === true;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytesOf(file), { flag, mode: isExecutable ? 0o755 : 0o644 });
}

function bytesOf(file: ProfileFile): Buffer {
  return typeof file === "string" ? Buffer.from(file) : Buffer.from(file.content, file.encoding ?? "utf8");
}

async function isInRepository(directory: string): Promise<boolean> {
  const root = (await repositoryFolders(directory)).at(-1) ?? directory;
  return exists(join(root, ".git"));
}

async function isInside(directory: string, folder: string): Promise<boolean> {
  const [root, real] = await Promise.all([realpath(directory), realpath(folder).catch(() => "")]);
  return real === root || real.startsWith(root + sep);
}

async function deepestThere(folder: string): Promise<string> {
  return (await exists(folder)) ? folder : deepestThere(dirname(folder));
}

async function removeEmpty(directory: string, folder: string): Promise<void> {
  for (let name = folder; name !== "."; name = dirname(name)) {
    const isGone = await rmdir(join(directory, name)).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
