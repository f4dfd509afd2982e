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

/** What the suite is told of a provider: its `scenario`, and e.g. `sandboxScenario` where it makes more than one kind. */
export async function loadScenarios(name) {
  const module = await importSource(fileOf(name), { external: sdkPackages() });
  const kinds = Object.keys(module).flatMap((key) => (/^(\w*)scenario$/i.exec(key) ?? []).slice(1));
  return kinds.sort().map((kind) => ({
    name: kind === "" ? name : `${name} ${kind}`,
    scenario: module[kind === "" ? "scenario" : `${kind}Scenario`],
  }));
}

/** Loaded when they are used; neither they nor what tests need beside them can be bundled. */
export function sdkPackages() {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, "packages/runtime/package.json"), "utf8"));
  return [...Object.keys(peerDependencies), "esbuild", "miniflare", "workerd", "ws"];
}
