import { folderRegistry } from "./folder-registry.mjs";

/** Who makes sandboxes. */
export async function outputs() {
  const folder = "packages/runtime/src/sandboxes";
  return [await folderRegistry({ folder, path: `${folder}/registry.gen.ts`, name: "providerModules" })];
}
