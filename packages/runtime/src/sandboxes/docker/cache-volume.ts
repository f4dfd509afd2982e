import { type Pack, pack } from "tar-stream";
import { inTurn } from "../in-turn.ts";
import { contentOf, packDirectory } from "../pack-directory.ts";
import type { DockerEngine } from "./docker-engine.ts";

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
