import { createInterface } from "node:readline";
import { DockerEngine } from "../sandboxes/docker/docker-engine.ts";
import { defaultEngine, engineAddress } from "../sandboxes/docker/engine-address.ts";
import { SandboxProviderError } from "../sandboxes/sandbox-provider.ts";
import { packImageContext } from "./image-context.ts";
import { recipeFiles } from "./image-formats.ts";
import { defaultTag, type ImageRecipe } from "./image-recipe.ts";

export interface BuildOptions extends ImageRecipe {
  /** The directory with `sandbox-agent.cjs`. */
  readonly bundle: string;
  /** What the builder says, line by line. */
  readonly onLine?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ImageBuildOptions extends BuildOptions {
  /** Where the engine listens. Default: `unix:///var/run/docker.sock`. */
  readonly host?: string | undefined;
  /** E.g. `linux/amd64`. Default: the engine's own. */
  readonly platform?: string | undefined;
  /** Of what is run in the build, e.g. `host`. Default: the engine's own. */
  readonly network?: string | undefined;
  /** From where the programs of agents are fetched. Default: npm's registry. */
  readonly registry?: string | undefined;
}

export interface BuiltImage {
  readonly tag: string;
  readonly id: string;
  readonly sizeBytes: number;
}

/** An image at a Docker engine, by its API; neither `docker` nor a clone of the project is needed. */
export async function buildImage(options: ImageBuildOptions): Promise<BuiltImage> {
  const { bundle, tag = defaultTag, host = defaultEngine, platform, network, registry, signal } = options;
  const archive = packImageContext({ bundle, files: recipeFiles("docker", options) });
  const engine = new DockerEngine(engineAddress(host));
  const query = {
    t: tag,
    forcerm: true,
    ...(platform === undefined ? {} : { platform }),
    ...(network === undefined ? {} : { networkmode: network }),
    ...(registry === undefined ? {} : { buildargs: { SANDBOX_AGENT_NPM_REGISTRY: registry } }),
  };
  try {
    const answer = await engine.stream("POST", "/build", { query, archive, signal, isEndless: true });
    for await (const line of createInterface({ input: answer })) follow(line, options);
    const { Id, Size } = await engine.call<{ Id: string; Size: number }>("GET", `/images/${encodeURI(tag)}/json`);
    return { tag, id: Id, sizeBytes: Size };
  } finally {
    archive.destroy();
    engine.close();
  }
}

interface Said {
  readonly stream?: string;
  readonly status?: string;
  readonly error?: string;
}

function follow(line: string, { onLine }: BuildOptions): void {
  if (line.trim() === "") return;
  const { stream, status, error } = JSON.parse(line) as Said;
  if (error !== undefined) throw new SandboxProviderError("failed", `The image could not be built: ${error.trim()}`);
  const said = (stream ?? status ?? "").trimEnd();
  if (said !== "") onLine?.(said);
}
