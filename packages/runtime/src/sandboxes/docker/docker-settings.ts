import { SandboxProviderError } from "../sandbox-provider.ts";
import { defaultEngine } from "./engine-address.ts";

/** As the docs have it built from our Dockerfile; no registry has it. */
export const defaultImage = "sandbox-agent";

/** The settings of the provider, each with a line for people. */
export const dockerSettings = {
  host: `where the engine listens (default: DOCKER_HOST, or ${defaultEngine})`,
  image: `what sandboxes are made of where a session names nothing else (default: ${defaultImage})`,
  user: "uid:gid of everything in a sandbox (default: 1000:1000); root is refused",
  memoryMiB: "memory of a sandbox, in MiB, where a session names nothing else (default: 4096)",
  cpus: "processors of a sandbox, where a session names nothing else (default: all)",
  maxProcesses: "processes and threads of a sandbox (default: 2048)",
  tmpMiB: "size of /tmp, which is held in memory (default: 256)",
  mounts: "directories of this machine to be had inside, read-only, by their place inside (default: none)",
  programs: "where sandboxes have the daemon and the agents' programs from: mount, volume or image (default: mount)",
  network: "network of sandboxes: bridge, internal (no way out), or the name of one (default: bridge)",
} as const;

export interface DockerSettings {
  readonly host: string;
  readonly image: string;
  readonly user: string;
  readonly memoryMiB: number;
  readonly cpus: number | undefined;
  readonly maxProcesses: number;
  readonly tmpMiB: number;
  /** Places inside, with what is to be had there. */
  readonly mounts: Readonly<Record<string, string>>;
  readonly programs: ProgramsFrom;
  readonly network: string;
}

/**
 * `mount`: files of this machine, which the engine must see. `volume`: copies of them in volumes, made once. `image`: the
 * image has them, as our Dockerfile makes it.
 */
export type ProgramsFrom = (typeof programsFrom)[number];
const programsFrom = ["mount", "volume", "image"] as const;

type Given = Readonly<Partial<Record<keyof typeof dockerSettings, unknown>>>;

/** What stands in the configuration, checked, with defaults where it says nothing. */
export function readDockerSettings(given: Given, env: NodeJS.ProcessEnv = process.env): DockerSettings {
  const user = textOf(given, "user", "1000:1000");
  if (!/^[1-9]\d*:\d+$/.test(user)) throw wrong(`user is two numbers, uid:gid, and not root's; not ${show(user)}`);
  return {
    host: textOf(given, "host", env.DOCKER_HOST || defaultEngine),
    image: textOf(given, "image", defaultImage),
    user,
    memoryMiB: numberOf(given, "memoryMiB", 6, 4096)!,
    cpus: numberOf(given, "cpus", 0.01, undefined),
    maxProcesses: numberOf(given, "maxProcesses", 16, 2048)!,
    tmpMiB: numberOf(given, "tmpMiB", 1, 256)!,
    mounts: mountsOf(given),
    programs: programsOf(given),
    network: textOf(given, "network", "bridge"),
  };
}

function textOf(given: Given, name: keyof Given, otherwise: string): string {
  const value = given[name] ?? otherwise;
  if (typeof value !== "string" || value === "") throw wrong(`${name} is a text, not ${show(value)}`);
  return value;
}

function programsOf({ programs = "mount" }: Given): ProgramsFrom {
  const found = programsFrom.find((from) => from === programs);
  if (found === undefined) throw wrong(`programs is one of ${programsFrom.join(", ")}, not ${show(programs)}`);
  return found;
}

function mountsOf({ mounts = {} }: Given): Readonly<Record<string, string>> {
  const isRight =
    typeof mounts === "object" &&
    mounts !== null &&
    Object.entries(mounts)
      .flat()
      .every((path: unknown) => typeof path === "string" && path.startsWith("/"));
  if (!isRight) throw wrong(`mounts is { "/place/inside": "/place/outside" }, not ${show(mounts)}`);
  return mounts as Readonly<Record<string, string>>;
}

/** Flags of the command line arrive as text. */
function numberOf(given: Given, name: keyof Given, least: number, otherwise: number | undefined): number | undefined {
  if (given[name] === undefined) return otherwise;
  const value = Number(given[name]);
  if (!(value >= least) || !Number.isFinite(value))
    throw wrong(`${name} is a number from ${least} on, not ${show(given[name])}`);
  return value;
}

const show = (value: unknown) => JSON.stringify(value);
const wrong = (detail: string) =>
  new SandboxProviderError("failed", `The settings of the provider docker are not right: ${detail}.`);
