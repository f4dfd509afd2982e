import type { MachineBuild } from "../machine-build.ts";

/**
 * A vendor's own releases as a description, beside the npm registry. In URLs `{version}` stands for the version, `{file}`
 * and `{target}` for what the platform's file says.
 */
export interface VendorReleases {
  /** What is downloaded; a platform that is not here has to come from elsewhere. */
  readonly files: Readonly<Partial<Record<MachineBuild, VendorFile>>>;
  /** Asked in this order until one has it. */
  readonly hosts: readonly [VendorHost, ...VendorHost[]];
}

export interface VendorFile {
  /** The vendor's word for the platform. */
  readonly target: string;
  /** The end of its URL; may have `{version}` in it. */
  readonly file: string;
  readonly archive: ArchiveFormat;
  /** The executable inside of it. */
  readonly binary: string;
  /** It can be had compressed, under its name with `.gz`; what hashes are of is the file itself. */
  readonly isGzipped?: boolean;
}

/** How files are packed: so many folders are taken away from the front of every name. `raw` is the program itself. */
export type ArchiveFormat =
  | { readonly kind: "tgz" | "zip"; readonly strip: 0 | 1 }
  | { readonly kind: "raw"; readonly strip?: never };

export interface VendorHost {
  readonly newest: VersionLookup;
  readonly url: string;
  readonly checksum: VendorChecksum;
}

/** Says the newest version: as the whole text, or as the tag of a release in JSON, which begins with a prefix. */
export type VersionLookup = AskedUrl &
  ({ readonly kind: "text" } | { readonly kind: "release"; readonly prefix: string });

/** Where the SHA-256 of a file is. */
export type VendorChecksum = AskedUrl &
  (
    | { readonly kind: "manifest"; readonly signature?: ManifestSignature }
    /** A release in JSON, with a digest for each of its files. */
    | { readonly kind: "release" }
    /** Lines of a hash and a name. */
    | { readonly kind: "sums" }
    /** Nothing but the hash. */
    | { readonly kind: "bare" }
  );

export interface AskedUrl {
  readonly url: string;
  /** Variables that may hold a token for this URL; it is sent there and nowhere else. */
  readonly token?: readonly string[];
}

/** An RSA signature of the manifest, in a file of its own. */
export interface ManifestSignature {
  readonly url: string;
  /** What is signed begins with this. */
  readonly prefix: string;
  /** In PEM. */
  readonly publicKey: string;
}

/** Releases on GitHub. Where a file of the release has the sums of the others, its limited API need not be asked for them. */
export function githubReleases(
  repository: string,
  { prefix = "v", sums }: { readonly prefix?: string; readonly sums?: string } = {},
): VendorHost {
  const api = `https://api.github.com/repos/${repository}/releases`;
  const files = `https://github.com/${repository}/releases/download/${prefix}{version}`;
  const token = ["GITHUB_TOKEN", "GH_TOKEN"];
  return {
    newest: { kind: "release", url: `${api}/latest`, prefix, token },
    url: `${files}/{file}`,
    checksum:
      sums === undefined
        ? { kind: "release", url: `${api}/tags/${prefix}{version}`, token }
        : { kind: "sums", url: `${files}/${sums}` },
  };
}
