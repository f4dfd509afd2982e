import { realpathSync } from "node:fs";
import type { SandboxSpec } from "../sandbox-provider.ts";
import type { DockerSettings } from "./docker-settings.ts";
import { daemonPort, inside, volumeRoot } from "./inside.ts";

/** What is kept of what a daemon says, in two files. */
const logFile = { "max-size": "2m", "max-file": "2" };
const MiB = 1024 * 1024;

/** What the engine makes a container from. */
export type ContainerBody = Readonly<Record<string, unknown>>;

export interface ContainerPlan {
  readonly id: string;
  readonly spec: SandboxSpec;
  readonly settings: DockerSettings;
  readonly image: string;
  /** Directories that the image declares as volumes: they would outlive a container that somebody removes. */
  readonly imageVolumes: readonly string[];
  readonly mounts: readonly ContainerMount[];
  /** Undefined: none but its own loopback. */
  readonly network: string | undefined;
  /** Whether the daemon's port is published; else it is reached by a socket. */
  readonly hasPort: boolean;
}

export interface ContainerMount {
  readonly Type: "bind" | "volume";
  readonly Source: string;
  readonly Target: string;
  readonly ReadOnly: boolean;
}

/**
 * Nothing of the machine, no rights, bounded means. The command is a file of the volume, put there before each start, so
 * that neither arguments nor environment, which everybody with the socket can read, have anything secret.
 */
export function containerBody(plan: ContainerPlan): ContainerBody {
  const { id, spec, settings, image, imageVolumes, mounts, network, hasPort } = plan;
  const memory = (spec.memoryMiB ?? settings.memoryMiB) * MiB;
  const cpus = spec.cpus ?? settings.cpus;
  const port = `${daemonPort}/tcp`;
  const temporary = `rw,nosuid,nodev,exec,size=${settings.tmpMiB}m,mode=1777`;
  return {
    Image: image,
    Entrypoint: [],
    Cmd: ["/bin/sh", `${inside.run}/start`],
    Env: Object.entries({ ...spec.env, HOME: inside.home, TMPDIR: "/tmp" }).map(([name, value]) => `${name}=${value}`),
    User: settings.user,
    WorkingDir: "/",
    Hostname: "sandbox",
    Labels: { ...spec.labels, [sandboxLabel]: id },
    Healthcheck: { Test: ["NONE"] },
    StopTimeout: 5,
    ...(hasPort ? { ExposedPorts: { [port]: {} } } : {}),
    HostConfig: {
      ...(hasPort ? { PortBindings: { [port]: [{ HostIp: "127.0.0.1", HostPort: "" }] } } : {}),
      NetworkMode: network ?? "none",
      Memory: memory,
      MemorySwap: memory,
      PidsLimit: spec.maxProcesses ?? settings.maxProcesses,
      ...(cpus === undefined ? {} : { NanoCpus: Math.round(cpus * 1e9) }),
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Init: true,
      Tmpfs: Object.fromEntries(["/tmp", ...imageVolumes].map((path) => [path, temporary])),
      Mounts: [
        { Type: "volume", Source: id, Target: volumeRoot, VolumeOptions: { NoCopy: true } },
        ...mounts.map((mount) => ({
          ...mount,
          ...(mount.Type === "bind" ? { BindOptions: { Propagation: "rprivate" } } : {}),
        })),
      ],
      LogConfig: { Type: "local", Config: logFile },
      RestartPolicy: { Name: "no" },
    },
  };
}

/** On every container and every volume, with the id of its sandbox. */
export const sandboxLabel = "sandbox-agent.sandbox";

/** This process's own Node, for images that have none. One of a distribution needs libraries that only the machine has. */
export function ownNodeMount(execPath = process.execPath): ContainerMount[] {
  const Source = realpathSync(execPath);
  return [{ Type: "bind", Source, Target: `${inside.node}/node`, ReadOnly: true }];
}
