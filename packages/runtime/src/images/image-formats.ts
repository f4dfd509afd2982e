import { SandboxProviderError } from "../sandboxes/sandbox-provider.ts";
import { dockerfile } from "./dockerfile.ts";
import { e2bTemplate } from "./e2b-template.ts";
import { checkRecipe, defaultTag, type ImageRecipe } from "./image-recipe.ts";
import { installScript } from "./install-script.ts";
import { vercelSnapshot } from "./vercel-snapshot.ts";

/** How a provider has images described: by one file, beside which the others of `recipeFiles` are. */
export interface ImageFormat {
  readonly file: string;
  text(recipe: ImageRecipe): string;
  /** What is done with the directory. */
  use(directory: string, recipe: ImageRecipe): string;
}

const inDocker: ImageFormat = {
  file: "Dockerfile",
  text: (recipe) => dockerfile(recipe),
  use: (directory, { tag = defaultTag }) => `docker build -t ${tag} ${directory}`,
};

const formats: Readonly<Record<string, ImageFormat>> = {
  docker: inDocker,
  kubernetes: inDocker,
  daytona: inDocker,
  modal: inDocker,
  cloudflare: inDocker,
  e2b: {
    file: "e2b-template.mjs",
    text: e2bTemplate,
    use: (directory) => `cd ${directory} && npm install e2b && E2B_API_KEY=… node e2b-template.mjs`,
  },
  vercel: {
    file: "vercel-snapshot.mjs",
    text: vercelSnapshot,
    use: (directory) =>
      `cd ${directory} && npm install @vercel/sandbox && VERCEL_TOKEN=… VERCEL_TEAM_ID=… VERCEL_PROJECT_ID=… node vercel-snapshot.mjs`,
  },
};

/** The providers whose sandboxes are made of something that can be built before. */
export const providersWithImages: readonly string[] = Object.keys(formats);

export function imageFormat(provider: string): ImageFormat {
  if (Object.hasOwn(formats, provider)) return formats[provider]!;
  const detail = `Sandboxes of "${provider}" are not made of images. Name one of ${providersWithImages.join(", ")}.`;
  throw new SandboxProviderError("not_found", detail);
}

/** The files of a recipe by their names; the bundle, `sandbox-agent/`, is to be put beside them. */
export function recipeFiles(provider: string, recipe: ImageRecipe): Readonly<Record<string, string>> {
  checkRecipe(recipe);
  const format = imageFormat(provider);
  return { [format.file]: format.text(recipe), "install.sh": installScript };
}
