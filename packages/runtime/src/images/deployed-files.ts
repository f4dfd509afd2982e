import { sourceDockerfile } from "./dockerfile.ts";
import { recipeFiles } from "./image-formats.ts";

/** Files of the repository by their places: what `image template` prints without agents, and the Dockerfile of a clone. */
export function deployedFiles(): Readonly<Record<string, string>> {
  const recipes = ["docker", "e2b", "vercel"].flatMap((provider) =>
    Object.entries(recipeFiles(provider, { agents: [] })),
  );
  const files = Object.fromEntries(recipes.map(([name, text]) => [`deploy/images/${name}`, text]));
  return { ...files, Dockerfile: sourceDockerfile() };
}
