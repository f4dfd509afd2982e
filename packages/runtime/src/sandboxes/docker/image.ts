import { SandboxProviderError } from "../sandbox-provider.ts";
import type { DockerEngine } from "./docker-engine.ts";

/** What is asked of an image before a container is made from it. */
export interface Image {
  readonly name: string;
  /** Directories that it declares as volumes. */
  readonly volumes: readonly string[];
  /** Where it has a daemon, if it has one. */
  readonly bundle: string | undefined;
  /** Where it has programs of agents, if it has any. */
  readonly programs: string | undefined;
}

interface ImageInfo {
  readonly Config: {
    readonly Labels: Readonly<Record<string, string>> | null;
    readonly Volumes: Readonly<Record<string, unknown>> | null;
  };
}

/** Rejects with what to do where the engine does not have it. */
export async function findImage(engine: DockerEngine, name: string): Promise<Image> {
  const info = await engine.find<ImageInfo>("GET", `/images/${encodeURI(name)}/json`);
  if (info === undefined) throw new SandboxProviderError("not_found", withoutImage(name));
  const { Labels, Volumes } = info.Config;
  return {
    name,
    volumes: Object.keys(Volumes ?? {}),
    bundle: Labels?.["sandbox-agent.bundle"],
    programs: Labels?.["sandbox-agent.programs"],
  };
}

function withoutImage(name: string): string {
  const build = `build ours with \`docker build -t ${name} .\` in a clone of the project`;
  return `The Docker engine has no image "${name}". Get it with \`docker pull ${name}\`, or ${build}.`;
}
