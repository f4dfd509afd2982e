import { createHash, createPublicKey, verify } from "node:crypto";
import { fieldOf, textOf } from "../json-fields.ts";
import type { ManifestSignature } from "./vendor-releases.ts";

/** Why a manifest is not what its vendor signed; `undefined` when it is. The signature is JSON, and names its key by hash. */
export function signatureFault(
  { prefix, publicKey }: Pick<ManifestSignature, "prefix" | "publicKey">,
  manifest: Uint8Array,
  signature: unknown,
): string | undefined {
  const key = createPublicKey(publicKey);
  const keyHash = createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex");
  if (fieldOf(signature, "schema") !== 1 || textOf(signature, "algorithm") !== "RSASSA-PKCS1-v1_5-SHA512") {
    return "is of a kind that is not known here";
  }
  if (textOf(signature, "publicKeySha256") !== keyHash) return "was made with a key that is not known here";
  const signed = Buffer.concat([Buffer.from(prefix), manifest]);
  const bytes = Buffer.from(textOf(signature, "signature") ?? "", "base64");
  return verify("RSA-SHA512", signed, key, bytes) ? undefined : "does not fit";
}
