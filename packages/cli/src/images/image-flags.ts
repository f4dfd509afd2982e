import { join } from "node:path";
import type { ImageRecipe } from "@sandbox-agent-ts/runtime";
import { dataDirectory } from "../data-dir.ts";
import { agentVersions } from "../programs/agent-programs.ts";
import { ownProgram } from "../runtime/open-runtime.ts";

interface RecipeFlags {
  readonly agents?: string;
  readonly provider?: string;
  readonly from?: string;
  readonly tag?: string;
  readonly dataDir?: string;
  readonly json?: true;
}

export interface TemplateFlags extends RecipeFlags {
  readonly out?: string;
}

export interface BuildFlags extends RecipeFlags {
  readonly dockerHost?: string;
  readonly platform?: string;
  readonly buildNetwork?: string;
}

export const providerOf = ({ provider = "docker" }: RecipeFlags): string => provider;

/** Agents that there are not are a mistake of the command line. */
export async function recipeOf({ agents = "", from, tag }: RecipeFlags): Promise<ImageRecipe> {
  const names = agents.split(/[\s,]+/).filter(Boolean);
  const known = await agentVersions(names);
  return { agents: known.map(({ spelled }) => spelled), from, tag };
}

/** The directory of this very program, which becomes the daemon of the image. */
export function bundleOf({ dataDir }: RecipeFlags): string {
  const place = dataDirectory(dataDir ?? (process.env.SANDBOX_AGENT_DATA_DIR || undefined), process.env);
  return ownProgram({ directory: join(place, "runtime") }).bundle;
}
