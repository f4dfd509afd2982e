import { downloadArchive } from "./download-archive.ts";
import { duringStep } from "./install-failure.ts";
import { formatIntegrity } from "./integrity.ts";
import type { NetworkLimits } from "./network-limits.ts";
import type { NpmRegistry } from "./npm-registry.ts";
import { isWhole, type PackageCache } from "./package-cache.ts";
import { type ResolvedPackage, resolvePackage } from "./resolve-package.ts";
import { retrying } from "./retrying.ts";

/** A package's archive on this machine, checked. */
export interface FetchedPackage {
  readonly archive: string;
  readonly url: string;
  readonly integrity: string;
}

/** From the cache where it is, else from the registry into the cache. */
export async function fetchPackage(
  registry: NpmRegistry,
  { name, version }: { name: string; version: string },
  cache: PackageCache,
  limits: NetworkLimits,
): Promise<FetchedPackage> {
  const wanted = { registry: registry.url, name, version };
  const kept = await cache.find(wanted);
  if (kept) return fetched(kept.archive, kept.resolved);
  const resolved = await resolvePackage(registry, name, version, limits);
  const archive = cache.archive(wanted, resolved.integrity);
  await duringStep("download", `Downloading ${name}@${version}`, async () => {
    if (!(await isWhole(archive, resolved.integrity))) await download(registry, resolved, archive, limits);
    await cache.remember(wanted, resolved);
  });
  return fetched(archive, resolved);
}

async function download(
  registry: NpmRegistry,
  { tarball: url, integrity }: ResolvedPackage,
  archive: string,
  limits: NetworkLimits,
): Promise<void> {
  const authorization = registry.authorization(url);
  const accept = "application/octet-stream, */*";
  const request = { url, accept, authorization, step: "download", limits, proxyOf: registry.proxyOf } as const;
  await retrying(limits.retryPausesMs, () => downloadArchive(request, integrity, archive));
}

function fetched(archive: string, { tarball, integrity }: ResolvedPackage): FetchedPackage {
  return { archive, url: tarball, integrity: formatIntegrity(integrity) };
}
