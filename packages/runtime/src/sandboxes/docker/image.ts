import { SandboxProviderError } from "../sandbox-provider.ts";
import type { DockerEngine } from "./docker-engine.ts";
import { defaultImage, type ProgramsFrom } from "./docker-settings.ts";
import { inside } from "./inside.ts";

/** What is asked of an image before a container is made from it. */
export interface Image {
  readonly name: string;
  /** Directories that it declares as volumes. */
  readonly volumes: readonly string[];
}

interface ImageInfo {
  readonly Config: {
    readonly Labels: Readonly<Record<string, string>> | null;
    readonly Volumes: Readonly<Record<string, unknown>> | null;
  };
}

/** Rejects with what to do where the engine does not have it. */
export async function findImage(engine: DockerEngine, name: string, programs: ProgramsFrom): Promise<Image> {
  const info = await engine.find<ImageInfo>("GET", `/images/${encodeURI(name)}/json`);
  if (info === undefined) throw new SandboxProviderError("not_found", withoutImage(name));
  const { Labels, Volumes } = info.Config;
  if (programs === "image" && Labels?.[bundleLabel] !== inside.bundle)
    throw new SandboxProviderError("failed", withoutBundle(name));
  return { name, volumes: Object.keys(Volumes ?? {}) };
}

/** Our Dockerfile sets it to where the daemon is. */
const bundleLabel = "sandbox-agent.bundle";

function withoutBundle(name: string): string {
  const advice = `Build one with \`sandbox-agent image build\`, or make the setting programs volume or mount`;
  return `The image "${name}" has no daemon: it lacks the label ${bundleLabel}=${inside.bundle}. ${advice}.`;
}

function withoutImage(name: string): string {
  const build = `\`sandbox-agent image build --tag ${name}\``;
  const advice =
    name === defaultImage
      ? `Make it with ${build}, or name another with --docker-image`
      : `Get it with \`docker pull ${name}\`, or build ours with ${build}`;
  return `The Docker engine has no image "${name}". ${advice}.`;
}
