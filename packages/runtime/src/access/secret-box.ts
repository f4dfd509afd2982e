import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { SandboxError } from "@sandbox-agent-ts/protocol";

const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/** Keeps small secrets, such as the tokens of sandboxes, unreadable for those who only have the store. */
export class SecretBox {
  readonly #key: Buffer;
  readonly #older: readonly Buffer[];

  /**
   * Any text may be the key; its entropy is what protects the secrets. What was sealed with one of the older keys can still
   * be opened; nothing is sealed with them any more.
   */
  constructor(key: string, older: readonly string[] = []) {
    this.#key = derived(key);
    this.#older = older.map(derived);
  }

  seal(secret: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, this.#key, iv);
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** Throws where the text was sealed with another key or changed since. */
  open(text: string): string {
    const bytes = Buffer.from(text, "base64");
    let cause: unknown;
    for (const key of [this.#key, ...this.#older]) {
      try {
        return opened(bytes, key);
      } catch (error) {
        cause ??= error;
      }
    }
    const sentence =
      "A secret in the store was sealed with another key. Start the runtime with the secret key it had before.";
    throw new SandboxError("internal_error", sentence, { cause });
  }

  /** The same for the same text, and no help in guessing it for those who only have the store. Another after a rotation. */
  digest(text: string): string {
    return digestWith(this.#key, text);
  }

  /** What `digest` was of it with the older keys. */
  olderDigests(text: string): readonly string[] {
    return this.#older.map((key) => digestWith(key, text));
  }

  /** The same secret sealed with the key of today; undefined where it is already. */
  resealed(text: string): string | undefined {
    try {
      opened(Buffer.from(text, "base64"), this.#key);
      return undefined;
    } catch {
      return this.seal(this.open(text));
    }
  }
}

function derived(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

function digestWith(key: Buffer, text: string): string {
  return createHmac("sha256", Buffer.from(hkdfSync("sha256", key, "", "digests", key.length)))
    .update(text)
    .digest("hex");
}

function opened(bytes: Buffer, key: Buffer): string {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, "utf8") + decipher.final("utf8");
}
