import { fetchPackage, type PackageOrigin } from "../fetch-package.ts";
import { programParts } from "../program-parts.ts";
import { resolvePackage } from "../resolve-package.ts";
import type { OpenedSource, SourceContext } from "./program-source.ts";

/** The registry that npm is configured for. */
export async function openNpmSource({ program, version, cache, limits, npm }: SourceContext): Promise<OpenedSource> {
  const whole = programParts(program, version);
  const { registryOf } = await npm();
  const originOf = (packageName: string): PackageOrigin => {
    const registry = registryOf(packageName);
    return { ...registry, resolve: (name, exact) => resolvePackage(registry, name, exact, limits) };
  };
  return {
    name: "npm",
    whole,
    isCached: true,
    fetchPart: (part, onStep) => fetchPackage(originOf(part.name), part, cache, limits, onStep),
    async forget() {
      for (const part of whole.parts) await cache.forget({ ...part, registry: registryOf(part.name).url });
    },
  };
}
