import { importSource } from "./import-source.mjs";

/** What images and templates with the daemon are made by. */
export async function outputs() {
  const { deployedFiles } = await importSource("packages/runtime/src/images/deployed-files.ts");
  return Object.entries(deployedFiles()).map(([path, text]) => ({ path, text }));
}
