import { fetchBytes } from "../fetch-bytes.ts";
import type { AskedService } from "../http-get.ts";
import type { Network } from "../network.ts";
import type { NetworkLimits } from "../network-limits.ts";
import type { MirroredUrl } from "./mirrors.ts";
import type { AskedUrl } from "./vendor-releases.ts";

/** Descriptions of releases, with hundreds of files at most. */
const maxAnswerBytes = 16 * 1024 * 1024;

export interface VendorAnswer {
  /** Who answered, for sentences. */
  readonly url: string;
  readonly bytes: Buffer;
}

/** Reads something small of a vendor, whose URL is complete. */
export type AskVendor = (asked: AskedUrl) => Promise<VendorAnswer>;

export function vendorAsker(
  env: Readonly<Record<string, string | undefined>>,
  mirrorOf: (url: string) => MirroredUrl,
  network: Network,
  limits: NetworkLimits,
): AskVendor {
  return async ({ url: original, token = [] }) => {
    const { url, authorization: ofMirror } = mirrorOf(original);
    // A token is for the vendor, not for who stands in for it.
    const found = url === original ? token.map((name) => env[name]).find(Boolean) : undefined;
    const authorization = ofMirror ?? (found === undefined ? undefined : `Bearer ${found}`);
    const request = {
      url,
      accept: "application/json, text/plain, */*",
      authorization,
      step: "resolve",
      limits,
      network,
      service: vendorService(found === undefined ? token[0] : undefined),
    } as const;
    return { url, bytes: await fetchBytes(request, maxAnswerBytes) };
  };
}

/** How a vendor's refusals are told; `token` is a variable that would help with limits and was not set. */
export function vendorService(token?: string): AskedService {
  return {
    settings: "SANDBOX_AGENT_MIRRORS",
    advice(status, hasCredentials) {
      if (status === 404) return ": there is no such release there. Check the version.";
      if (status === 401 || (status === 403 && hasCredentials))
        return ": it does not accept the credentials it was given.";
      if (status !== 403 && status !== 429) return ". Try again later.";
      return token === undefined
        ? ": it does not serve this network, or not so often. Try again later, or name a mirror in SANDBOX_AGENT_MIRRORS."
        : `: too many have asked from this address. Set ${token}, or try again in an hour.`;
    },
  };
}
