import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { importSource } from "./import-source.mjs";
import { root } from "./root.mjs";

export const providersFolder = "packages/runtime/src/sandboxes";
const fileOf = (name) => `${providersFolder}/${name}/__fixtures__/contract-scenario.ts`;

/** The names of the providers at hosting services, which have a scenario. */
export function hostedProviders() {
  return readdirSync(join(root, providersFolder)).filter((name) => existsSync(join(root, fileOf(name))));
}

/** What the suite of a provider at a hosting service is told. */
export async function loadScenario(name) {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, "packages/runtime/package.json"), "utf8"));
  const external = [...Object.keys(peerDependencies), "esbuild", "miniflare", "workerd", "ws"];
  const { scenario } = await importSource(fileOf(name), { external });
  return scenario;
}
