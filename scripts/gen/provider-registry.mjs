import { folderRegistry } from "./folder-registry.mjs";

/** Who makes sandboxes, and the services on loopback that some of them can be tried with. */
export async function outputs() {
  const providers = "packages/runtime/src/sandboxes";
  const services = "packages/testing/src/providers";
  return Promise.all([
    folderRegistry({ folder: providers, path: `${providers}/registry.gen.ts`, name: "providerModules" }),
    folderRegistry({ folder: services, path: `${services}/registry.gen.ts`, name: "serviceModules" }),
  ]);
}
