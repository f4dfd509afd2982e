import { httpGet } from "./http-get.ts";
import { installFailure } from "./install-failure.ts";
import { type Integrity, parseIntegrity } from "./integrity.ts";
import type { NetworkLimits } from "./network-limits.ts";
import type { NpmRegistry } from "./npm-registry.ts";
import { retrying } from "./retrying.ts";

/** One version of a package: where its archive is and what it must hash to. */
export interface ResolvedPackage {
  readonly tarball: string;
  readonly integrity: Integrity;
}

/** The short form of a package's metadata, for installers; registries that do not have it send the long one. */
const accept = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*";
const maxMetadataBytes = 128 * 1024 * 1024;
const shownVersions = 5;

/** What an object has under a name; nothing of what is none. Registries answer all kinds of things. */
function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function textOf(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name);
  return typeof text === "string" ? text : undefined;
}

/** Asks the registry. The version must be exact: what a session ran with yesterday it runs with today. */
export async function resolvePackage(
  registry: NpmRegistry,
  name: string,
  version: string,
  limits: NetworkLimits,
): Promise<ResolvedPackage> {
  const url = `${registry.url}${name.replace("/", "%2f")}`;
  const authorization = registry.authorization(url);
  const request = { url, accept, authorization, step: "resolve", limits, proxyOf: registry.proxyOf } as const;
  const answer = await retrying(limits.retryPausesMs, async () => parse(url, await text(url, httpGet(request))));
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

async function text(url: string, body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > maxMetadataBytes) throw notARegistry(url);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
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
