export { type BuiltImage, buildImage, type ImageBuildOptions } from "./build-image.ts";
export { type BuiltTemplate, buildTemplate, type TemplateBuildOptions } from "./build-template.ts";
export { writeImageContext } from "./image-context.ts";
export { imageFormat, providersWithImages, recipeFiles } from "./image-formats.ts";
export type { ImageRecipe } from "./image-recipe.ts";
