import { basename } from "node:path";
import { installFailure, withoutSecrets } from "../install-failure.ts";
import type { Integrity } from "../integrity.ts";
import { fieldOf, textOf } from "../json-fields.ts";
import type { AskVendor, VendorAnswer } from "./ask-vendor.ts";
import { signatureFault } from "./manifest-signature.ts";
import { sumIn } from "./sums-file.ts";
import type { VendorChecksum, VendorFile } from "./vendor-releases.ts";

/** What the vendor says that a file of this version hashes to. URLs and names are complete. */
export async function vendorChecksum(
  checksum: VendorChecksum,
  { file, target }: Pick<VendorFile, "file" | "target">,
  version: string,
  ask: AskVendor,
): Promise<Integrity> {
  const answer = await ask(checksum);
  const hash = await find();
  if (hash !== undefined && /^[0-9a-f]{64}$/i.test(hash)) {
    return { algorithm: "sha256", digests: [Buffer.from(hash, "hex").toString("base64")] };
  }
  throw installFailure(`${withoutSecrets(answer.url)} does not say what ${file} hashes to.`, {
    step: "resolve",
    url: answer.url,
  });

  async function find(): Promise<string | undefined> {
    switch (checksum.kind) {
      case "bare":
        return answer.bytes.toString("utf8").trim().split(/\s/)[0];
      case "sums":
        return sumIn(answer.bytes.toString("utf8"), basename(file));
      case "release": {
        const release = parse(answer);
        mustBeOf(version, textOf(release, "tag_name"), answer);
        const assets = fieldOf(release, "assets");
        const asset: unknown = Array.isArray(assets)
          ? assets.find((each) => textOf(each, "name") === basename(file))
          : undefined;
        return textOf(asset, "digest")?.replace(/^sha256:/, "");
      }
      case "manifest": {
        const manifest = parse(answer);
        if (checksum.signature) {
          const { bytes, url } = await ask(checksum.signature);
          const fault = signatureFault(checksum.signature, answer.bytes, parse({ bytes, url }));
          if (fault !== undefined) throw notSigned(answer.url, fault);
        }
        mustBeOf(version, textOf(manifest, "version"), answer);
        return textOf(fieldOf(fieldOf(manifest, "platforms"), target), "checksum");
      }
    }
  }
}

export function parse({ bytes, url }: VendorAnswer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw notAVendors(url);
  }
}

/** A login page of the network is the usual reason. */
export function notAVendors(url: string): Error {
  const sentence =
    `The answer of ${withoutSecrets(url)} is not a vendor's: it may be a page of the network, or for a country that is ` +
    "not served. Check the network and SANDBOX_AGENT_MIRRORS.";
  return installFailure(sentence, { step: "resolve", url });
}

/** An older answer with a good signature is no answer. */
function mustBeOf(version: string, said: string | undefined, { url }: VendorAnswer): void {
  if (said === undefined) throw notAVendors(url);
  if (said === version || said.replace(/^.*?v(?=\d)/, "") === version) return;
  throw installFailure(`${withoutSecrets(url)} is about ${said}, not about ${version}.`, { step: "resolve", url });
}

function notSigned(url: string, fault: string): Error {
  const sentence =
    `The signature of ${withoutSecrets(url)} ${fault}: nothing was installed from there. ` +
    "If the vendor has a new key, take a newer Sandbox Agent, or SANDBOX_AGENT_SOURCES=npm.";
  return installFailure(sentence, { step: "resolve", url });
}
