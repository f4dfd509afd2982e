import type { ExpectedArchive } from "./download-archive.ts";
import { fetchBytes } from "./fetch-bytes.ts";
import { installFailure } from "./install-failure.ts";
import { parseIntegrity } from "./integrity.ts";
import { fieldOf, textOf } from "./json-fields.ts";
import type { NetworkLimits } from "./network-limits.ts";
import type { NpmRegistry } from "./npm-registry.ts";

/** One version of a package: where its archive is and what it must be. */
export interface ResolvedPackage extends ExpectedArchive {
  readonly tarball: string;
}

/** The short form of a package's metadata, for installers; registries that do not have it send the long one. */
const accept = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*";
const maxMetadataBytes = 128 * 1024 * 1024;
const shownVersions = 5;

/** Asks the registry. The version must be exact: what a session ran with yesterday it runs with today. */
export async function resolvePackage(
  registry: NpmRegistry,
  name: string,
  version: string,
  limits: NetworkLimits,
): Promise<ResolvedPackage> {
  const { url, answer } = await askRegistry(registry, name, limits);
  const versions = fieldOf(answer, "versions") ?? {};
  const found = fieldOf(versions, version);
  if (found === undefined) throw unknownVersion(url, name, version, Object.keys(versions));
  const dist = fieldOf(found, "dist");
  const tarball = textOf(dist, "tarball") ?? "";
  const integrity = parseIntegrity({ integrity: textOf(dist, "integrity"), shasum: textOf(dist, "shasum") });
  if (/^https?:/.test(tarball) && URL.canParse(tarball) && integrity) return { tarball, integrity };
  throw installFailure(`The registry does not say where ${name}@${version} is and what it hashes to.`, {
    step: "resolve",
    url,
  });
}

/** The version that the registry calls the latest. */
export async function latestInRegistry(registry: NpmRegistry, name: string, limits: NetworkLimits): Promise<string> {
  const { url, answer } = await askRegistry(registry, name, limits);
  const latest = textOf(fieldOf(answer, "dist-tags"), "latest");
  if (latest !== undefined) return latest;
  throw installFailure(`The registry does not say which version of ${name} is the latest.`, { step: "resolve", url });
}

async function askRegistry(
  registry: NpmRegistry,
  name: string,
  limits: NetworkLimits,
): Promise<{ url: string; answer: object }> {
  const url = `${registry.url}${name.replace("/", "%2f")}`;
  const authorization = registry.authorization(url);
  const request = { url, accept, authorization, step: "resolve", limits, network: registry.network } as const;
  return { url, answer: parse(url, (await fetchBytes(request, maxMetadataBytes)).toString("utf8")) };
}

function parse(url: string, body: string): object {
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer === "object" && answer !== null) return answer;
  } catch {
    // Said below: a login page of the network is the usual reason.
  }
  throw notARegistry(url);
}

function notARegistry(url: string): Error {
  return installFailure("The answer is not a registry's. Check npm's registry and the network.", {
    step: "resolve",
    url,
  });
}

function unknownVersion(url: string, name: string, version: string, known: readonly string[]): Error {
  const last = known.slice(-shownVersions).join(", ") || "none";
  const sentence = `${name} has no version "${version}" there. Give an exact version; the last ones are: ${last}.`;
  return installFailure(sentence, { step: "resolve", url });
}
