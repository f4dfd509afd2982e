import { downloadArchive } from "./download-archive.ts";
import { duringStep } from "./install-failure.ts";
import type { OnStep } from "./install-progress.ts";
import { formatIntegrity } from "./integrity.ts";
import type { NetworkLimits } from "./network-limits.ts";
import type { NpmRegistry } from "./npm-registry.ts";
import type { CachedPackage, PackageCache } from "./package-cache.ts";
import { type ResolvedPackage, resolvePackage } from "./resolve-package.ts";
import { retrying } from "./retrying.ts";

/** A package on this machine, checked. */
export interface FetchedPackage {
  readonly content: CachedPackage;
  readonly url: string;
  readonly integrity: string;
  /** What came over the network; 0 when the cache had it. */
  readonly downloadedBytes: number;
}

/** From the cache where it is, else from the registry into the cache. */
export async function fetchPackage(
  registry: NpmRegistry,
  { name, version }: { name: string; version: string },
  cache: PackageCache,
  limits: NetworkLimits,
  onStep: OnStep,
): Promise<FetchedPackage> {
  const wanted = { registry: registry.url, name, version };
  onStep({ step: "resolve" });
  const kept = await cache.find(wanted);
  if (kept) return fetched(kept.kept, kept.resolved, 0);
  const resolved = await resolvePackage(registry, name, version, limits);
  const archive = cache.archive(wanted, resolved.integrity);
  return duringStep("download", `Downloading ${name}@${version}`, async () => {
    const there = await cache.findBytes(wanted, resolved.integrity);
    const bytes = there ? 0 : await download(registry, resolved, archive, limits, onStep);
    await cache.remember(wanted, resolved);
    return fetched(there ?? { archive }, resolved, bytes);
  });
}

async function download(
  registry: NpmRegistry,
  { tarball: url, integrity }: ResolvedPackage,
  archive: string,
  limits: NetworkLimits,
  onStep: OnStep,
): Promise<number> {
  const authorization = registry.authorization(url);
  const accept = "application/octet-stream, */*";
  const request = { url, accept, authorization, step: "download", limits, proxyOf: registry.proxyOf } as const;
  return retrying(limits.retryPausesMs, () => downloadArchive(request, integrity, archive, onStep));
}

function fetched(
  content: CachedPackage,
  { tarball, integrity }: ResolvedPackage,
  downloadedBytes: number,
): FetchedPackage {
  return { content, url: tarball, integrity: formatIntegrity(integrity), downloadedBytes };
}
