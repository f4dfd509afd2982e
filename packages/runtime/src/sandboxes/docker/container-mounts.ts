import { chmodSync, statSync } from "node:fs";
import type { SandboxSpec } from "../sandbox-provider.ts";
import { type ContainerMount, ownNodeMount } from "./container-body.ts";
import type { DockerSettings } from "./docker-settings.ts";
import { inside } from "./inside.ts";

/** What a container has of this machine: the daemon, the agents' programs, what the settings name; nothing to write to. */
export function containerMounts(
  spec: SandboxSpec,
  { mounts }: DockerSettings,
  socketDirectory: string | undefined,
): ContainerMount[] {
  const bind = (Source: string, Target: string, ReadOnly = true): ContainerMount => ({
    Type: "bind",
    Source,
    Target,
    ReadOnly,
  });
  if (spec.programs !== undefined) letOthersRead(spec.programs);
  return [
    ...ownNodeMount(),
    bind(spec.bundle, inside.bundle),
    ...(spec.programs === undefined ? [] : [bind(spec.programs, inside.programs)]),
    ...Object.entries(mounts).map(([place, source]) => bind(source, place)),
    ...(socketDirectory === undefined ? [] : [bind(socketDirectory, inside.socket, false)]),
  ];
}

const readAndEnter = 0o055;

/** Whoever works in a container is somebody else than us. The directory lies in one that only we can enter. */
function letOthersRead(directory: string): void {
  const mode = statSync(directory, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & readAndEnter) !== readAndEnter) chmodSync(directory, (mode & 0o777) | readAndEnter);
}
