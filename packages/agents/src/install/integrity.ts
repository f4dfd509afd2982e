import { createHash, type Hash } from "node:crypto";

/** Strongest first. */
const algorithms = ["sha512", "sha384", "sha256", "sha1"] as const;
type Algorithm = (typeof algorithms)[number];

/** What the bytes of a package must hash to. */
export interface Integrity {
  readonly algorithm: Algorithm;
  /** Any one of these, in base64. */
  readonly digests: readonly string[];
}

/** Reads `dist.integrity` (a list of `sha512-…`), or else the older `dist.shasum` in hex. Of several, the strongest kind counts. */
export function parseIntegrity(dist: {
  integrity?: string | undefined;
  shasum?: string | undefined;
}): Integrity | undefined {
  const hashes = (dist.integrity ?? "").split(/\s+/).map((hash) => /^(\w+)-([A-Za-z0-9+/]+={0,2})/.exec(hash));
  for (const algorithm of algorithms) {
    const digests = hashes.flatMap((hash) => (hash?.[1] === algorithm ? [hash[2]!] : []));
    if (digests.length > 0) return { algorithm, digests };
  }
  if (!/^[0-9a-f]{40}$/i.test(dist.shasum ?? "")) return undefined;
  return { algorithm: "sha1", digests: [Buffer.from(dist.shasum!, "hex").toString("base64")] };
}

export function formatIntegrity({ algorithm, digests }: Integrity): string {
  return digests.map((digest) => `${algorithm}-${digest}`).join(" ");
}

export function hasherOf({ algorithm }: Integrity): Hash {
  return createHash(algorithm);
}

export function matches({ digests }: Integrity, hasher: Hash): boolean {
  return digests.includes(hasher.digest("base64"));
}
