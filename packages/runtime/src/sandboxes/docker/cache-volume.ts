import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import type { DockerEngine } from "./docker-engine.ts";
import { inTurn } from "./in-turn.ts";

/** On every volume that has copies of what is on this machine; the engine's owner may remove them when nothing uses them. */
export const cacheLabel = "sandbox-agent.cache";
const place = "/cache";
const marks = ".complete";

/**
 * A volume with a copy of a directory, for engines that do not see the files of this machine. Its name says what is in it,
 * so that it is filled once, also by several processes at a time, and never changed.
 */
export async function ensureCacheVolume(
  engine: DockerEngine,
  { kind, directory, image }: { readonly kind: string; readonly directory: string; readonly image: string },
): Promise<string> {
  const name = `sandbox-agent-${kind}-${await contentOf(directory)}`;
  return inTurn(name, async () => {
    await engine.call("POST", "/volumes/create", { body: { Name: name, Labels: { [cacheLabel]: kind } } });
    const body = {
      Image: image,
      Cmd: ["/bin/sh"],
      Labels: { [cacheLabel]: kind },
      NetworkDisabled: true,
      HostConfig: { Mounts: [{ Type: "volume", Source: name, Target: place, VolumeOptions: { NoCopy: true } }] },
    };
    // It is never started: the engine writes into the volumes of containers that do not run.
    const { Id } = await engine.call<{ Id: string }>("POST", "/containers/create", { body });
    try {
      const query = { path: `${place}/${marks}` };
      if ((await engine.find("HEAD", `/containers/${Id}/archive`, { query })) !== undefined) return name;
      await put(engine, Id, (archive) => packDirectory(archive, directory));
      await put(engine, Id, async (archive) => void archive.entry({ name: marks }, ""));
    } finally {
      await engine.find("DELETE", `/containers/${Id}`, { query: { force: true, v: false } });
    }
    return name;
  });
}

async function put(engine: DockerEngine, id: string, fill: (archive: Pack) => Promise<void>): Promise<void> {
  const archive = pack();
  const filled = fill(archive).then(
    () => archive.finalize(),
    (error: Error) => archive.destroy(error),
  );
  await engine.call("PUT", `/containers/${id}/archive`, { query: { path: place }, archive });
  await filled;
}

/** Names, sizes and times of what is in a directory; a program that is replaced has others. */
async function contentOf(directory: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const { name, stats } of entriesOf(directory)) {
    hash.update(JSON.stringify([name, stats.mode, stats.isFile() ? [stats.size, stats.mtimeMs] : []]));
  }
  return hash.digest("hex").slice(0, 16);
}

/** Owned by root and readable by everybody, whoever owns it here. */
async function packDirectory(archive: Pack, directory: string): Promise<void> {
  for await (const { name, stats } of entriesOf(directory)) {
    const path = join(directory, name);
    const mode = (stats.mode & 0o700) | ((stats.mode & 0o500) >> 3) | ((stats.mode & 0o500) >> 6);
    if (stats.isDirectory()) archive.entry({ name, type: "directory", mode });
    else if (stats.isSymbolicLink()) archive.entry({ name, type: "symlink", linkname: await readlink(path) });
    else if (stats.size <= smallFile) archive.entry({ name, mode }, await readFile(path));
    else await pipeline(createReadStream(path), archive.entry({ name, mode, size: stats.size }));
  }
}

const smallFile = 64 * 1024;

/** Parents before their children, in the order of their names; neither sockets nor pipes, nor what an install holds. */
async function* entriesOf(
  directory: string,
  below = "",
): AsyncGenerator<{
  name: string;
  stats: Awaited<ReturnType<typeof lstat>> & { size: number; mode: number; mtimeMs: number };
}> {
  for (const entry of (await readdir(join(directory, below))).toSorted()) {
    if (entry.endsWith(".lock")) continue;
    const name = join(below, entry);
    const stats = await lstat(join(directory, name));
    if (!stats.isDirectory() && !stats.isFile() && !stats.isSymbolicLink()) continue;
    yield { name, stats };
    if (stats.isDirectory()) yield* entriesOf(directory, name);
  }
}
