import { downloadArchive } from "./download-archive.ts";
import type { AskedService } from "./http-get.ts";
import { duringStep } from "./install-failure.ts";
import { withInstallLock } from "./install-lock.ts";
import type { OnStep } from "./install-progress.ts";
import { formatIntegrity } from "./integrity.ts";
import type { Network } from "./network.ts";
import type { NetworkLimits } from "./network-limits.ts";
import type { CachedPackage, PackageCache } from "./package-cache.ts";
import type { ResolvedPackage } from "./resolve-package.ts";
import { retrying } from "./retrying.ts";
import { halfOf } from "./write-whole.ts";

/** Where packages are fetched from. */
export interface PackageOrigin {
  /** What it is known by in the cache: others may have other packages of the same name. */
  readonly url: string;
  resolve(name: string, version: string): Promise<ResolvedPackage>;
  authorization(url: string): string | undefined;
  readonly network: Network;
  readonly service?: AskedService;
}

/** A package on this machine, checked. */
export interface FetchedPackage {
  readonly content: CachedPackage;
  readonly url: string;
  readonly integrity: string;
  /** What came over the network; 0 when the cache had it. */
  readonly downloadedBytes: number;
}

/** From the cache where it is, else from where it comes from into the cache. */
export async function fetchPackage(
  origin: PackageOrigin,
  { name, version }: { name: string; version: string },
  cache: PackageCache,
  limits: NetworkLimits,
  onStep: OnStep,
): Promise<FetchedPackage> {
  const wanted = { registry: origin.url, name, version };
  onStep({ step: "resolve" });
  const kept = await cache.find(wanted);
  if (kept) return fetched(kept.kept, kept.resolved, 0);
  const resolved = await origin.resolve(name, version);
  const archive = cache.archive(wanted, resolved.integrity);
  return duringStep("download", `Downloading ${name}@${version}`, () =>
    withInstallLock(
      halfOf(archive).lock,
      async () => {
        const there = await cache.findBytes(wanted, resolved.integrity);
        const bytes = there ? 0 : await download(origin, resolved, archive, limits, onStep);
        await cache.remember(wanted, resolved);
        return fetched(there ?? { archive }, resolved, bytes);
      },
      () => onStep({ step: "wait" }),
    ),
  );
}

async function download(
  { authorization, network, service }: PackageOrigin,
  resolved: ResolvedPackage,
  archive: string,
  limits: NetworkLimits,
  onStep: OnStep,
): Promise<number> {
  const request = {
    url: resolved.tarball,
    accept: "application/octet-stream, */*",
    authorization: authorization(resolved.tarball),
    step: "download",
    limits,
    network,
    ...(service && { service }),
  } as const;
  return retrying(limits.retryPausesMs, () => downloadArchive(request, resolved, archive, onStep));
}

function fetched(
  content: CachedPackage,
  { tarball, integrity }: ResolvedPackage,
  downloadedBytes: number,
): FetchedPackage {
  return { content, url: tarball, integrity: formatIntegrity(integrity), downloadedBytes };
}
