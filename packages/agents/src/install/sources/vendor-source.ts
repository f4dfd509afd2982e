import { fetchPackage, type PackageOrigin } from "../fetch-package.ts";
import { forThisMachine } from "../machine-build.ts";
import { notForHere, type ProgramPart, type ProgramParts } from "../program-parts.ts";
import { type AskVendor, vendorAsker, vendorService } from "./ask-vendor.ts";
import { firstThatHas } from "./first-that-has.ts";
import { findMirrors } from "./mirrors.ts";
import type { OpenedSource, SourceContext } from "./program-source.ts";
import { vendorChecksum } from "./vendor-checksum.ts";
import type { VendorFile, VendorHost, VendorReleases } from "./vendor-releases.ts";

/** A vendor's file for this machine, and what an installation from it consists of. */
export interface VendorPlan {
  readonly file: VendorFile;
  readonly whole: ProgramParts;
}

/** What is to be had of the vendor for a version; throws where that is nothing for this machine. */
export function vendorPlan(name: string, { files }: VendorReleases, version: string): VendorPlan {
  const file = forThisMachine(files);
  if (!file) throw notForHere(name, Object.keys(files));
  const part: ProgramPart = { name: `${name}-${file.target}`, version, folder: "", format: file.archive };
  return { file: { ...file, file: fill(file.file, { version }) }, whole: { parts: [part], binary: file.binary } };
}

/** The vendor's own releases; of several hosts the first that has the version. */
export async function openVendorSource(context: SourceContext, vendor: VendorReleases): Promise<OpenedSource> {
  const { program, version, env, cache, limits, npm } = context;
  const { file, whole } = vendorPlan(program.name, vendor, version);
  const mirrorOf = findMirrors(env);
  const { network } = await npm();
  const ask = vendorAsker(env, mirrorOf, network, limits);
  const originOf = (host: VendorHost): PackageOrigin => {
    const original = fill(host.url, { version, ...file }) + (file.isGzipped ? ".gz" : "");
    const { url: tarball, authorization } = mirrorOf(original);
    return {
      url: host.url,
      resolve: async () => ({ tarball, ...(await expected(host, file, version, ask)) }),
      authorization: (url) => (url === tarball ? authorization : undefined),
      network,
      service: vendorService(),
    };
  };
  return {
    name: "vendor",
    whole,
    isCached: true,
    fetchPart: (part, onStep) =>
      firstThatHas(
        vendor.hosts.map((host) => ({
          label: new URL(host.url).host,
          attempt: () => fetchPackage(originOf(host), part, cache, limits, onStep),
        })),
      ),
    async forget() {
      for (const { url } of vendor.hosts) await cache.forget({ ...whole.parts[0], registry: url });
    },
  };
}

async function expected({ checksum }: VendorHost, file: VendorFile, version: string, ask: AskVendor) {
  const words = { version, ...file };
  const complete = { ...checksum, url: fill(checksum.url, words) };
  const signed =
    complete.kind === "manifest" && complete.signature
      ? { ...complete, signature: { ...complete.signature, url: fill(complete.signature.url, words) } }
      : complete;
  const integrity = await vendorChecksum(signed, file, version, ask);
  return { integrity, isGzipped: file.isGzipped ?? false };
}

/** Puts words in the place of their names. */
function fill(
  template: string,
  words: { readonly version: string; readonly file?: string; readonly target?: string },
): string {
  return template.replace(
    /\{(version|file|target)\}/g,
    (name, word: "version" | "file" | "target") => words[word] ?? name,
  );
}
