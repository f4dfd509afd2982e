import { SandboxProviderError } from "../sandboxes/sandbox-provider.ts";

/** An image, template or snapshot that has the daemon and the programs of agents. */
export interface ImageRecipe {
  /** As `install-agent` takes them: `claude`, or `codex@0.130.0` for a version. */
  readonly agents: readonly string[];
  /** An image with Node and a shell. Default: `node:20-slim`. */
  readonly from?: string | undefined;
  /** What the image or template is called. Default: `sandbox-agent`. */
  readonly tag?: string | undefined;
}

export const defaultBase = "node:20-slim";
export const defaultTag = "sandbox-agent";

const agentName = /^[a-z0-9][a-z0-9-]*(?:@[\w.+-]+)?$/i;
const imageName = /^[a-z0-9][\w./:@-]*$/i;

/** They become words of shells and of Dockerfiles. */
export function checkRecipe({ agents, from = defaultBase, tag = defaultTag }: ImageRecipe): void {
  for (const agent of agents) if (!agentName.test(agent)) throw wrong(`An agent is like claude or claude@2.1.0`, agent);
  if (!imageName.test(from)) throw wrong(`An image is like ${defaultBase}`, from);
  if (!imageName.test(tag)) throw wrong(`A tag is like ${defaultTag} or registry.example/${defaultTag}:1`, tag);
}

const wrong = (detail: string, value: string) =>
  new SandboxProviderError("failed", `${detail}, not ${JSON.stringify(value)}.`);
