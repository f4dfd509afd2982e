import { chmodSync, statSync } from "node:fs";
import type { SandboxSpec } from "../sandbox-provider.ts";
import { ensureCacheVolume } from "./cache-volume.ts";
import { type ContainerMount, ownNodeMount } from "./container-body.ts";
import type { DockerEngine } from "./docker-engine.ts";
import type { DockerSettings } from "./docker-settings.ts";
import { inside } from "./inside.ts";

export interface MountPlan {
  readonly spec: SandboxSpec;
  readonly settings: DockerSettings;
  readonly image: string;
  /** Where its socket is to be made, if it has no port. */
  readonly socketDirectory: string | undefined;
}

/** What a container has of this machine: the daemon, the agents' programs, what the settings name; nothing to write to. */
export async function containerMounts(engine: DockerEngine, plan: MountPlan): Promise<ContainerMount[]> {
  const { settings, socketDirectory } = plan;
  return [
    ...(await programMounts(engine, plan)),
    ...Object.entries(settings.mounts).map(([target, source]) => bind(source, target)),
    ...(socketDirectory === undefined ? [] : [bind(socketDirectory, inside.socket, false)]),
  ];
}

async function programMounts(engine: DockerEngine, { spec, settings, image }: MountPlan): Promise<ContainerMount[]> {
  const wanted = [
    { kind: "bundle", directory: spec.bundle, target: inside.bundle },
    ...(spec.programs === undefined ? [] : [{ kind: "programs", directory: spec.programs, target: inside.programs }]),
  ];
  switch (settings.programs) {
    case "image":
      return [];
    case "volume":
      return Promise.all(
        wanted.map(async ({ kind, directory, target }) => {
          const Source = await ensureCacheVolume(engine, { kind, directory, image });
          return { Type: "volume", Source, Target: target, ReadOnly: true };
        }),
      );
    case "mount":
      if (spec.programs !== undefined) letOthersRead(spec.programs);
      return [...ownNodeMount(), ...wanted.map(({ directory, target }) => bind(directory, target))];
  }
}

const bind = (Source: string, Target: string, ReadOnly = true): ContainerMount => ({
  Type: "bind",
  Source,
  Target,
  ReadOnly,
});

const readAndEnter = 0o055;

/** Whoever works in a container is somebody else than us. The directory lies in one that only we can enter. */
function letOthersRead(directory: string): void {
  const mode = statSync(directory, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & readAndEnter) !== readAndEnter) chmodSync(directory, (mode & 0o777) | readAndEnter);
}
