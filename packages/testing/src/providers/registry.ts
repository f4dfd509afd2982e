import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { ProviderService, ProviderServiceDescription, ServiceOptions } from "./provider-service.ts";
import { serviceModules } from "./registry.gen.ts";

/** The names of all services there are; nothing is imported for it. */
export const providerServices: readonly string[] = Object.keys(serviceModules);

/** A service by its name, imported only now. */
export async function loadProviderService(name: string): Promise<ProviderServiceDescription> {
  const modules: Readonly<Record<string, () => Promise<{ service: ProviderServiceDescription }>>> = serviceModules;
  if (!Object.hasOwn(modules, name)) {
    const known = providerServices.join(", ");
    throw new SandboxError("not_found", `There is no service "${name}". Name one of these: ${known}.`);
  }
  return (await modules[name]!()).service;
}

/** Start a service by its name, on loopback. */
export async function startProviderService(name: string, options: ServiceOptions = {}): Promise<ProviderService> {
  return (await loadProviderService(name)).start(options);
}
