const KEY_BYTES = 16;

/** A random key for a message that may be sent again. */
export function createIdempotencyKey(): string {
  // `crypto.randomUUID` is missing in pages that were not loaded over https; this is not.
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
