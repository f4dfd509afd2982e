import { createHash } from "node:crypto";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LENGTH = 22;

/** An id as Amp checks it (`M-` or `TU-` and 22 letters), the same in every run for the same words. */
export function ampId(prefix: "M" | "TU", ...words: readonly (string | number)[]): string {
  const bytes = createHash("sha256")
    .update(JSON.stringify([prefix, ...words]))
    .digest();
  const letters = Array.from(bytes.subarray(0, LENGTH), (byte) => digits[byte % digits.length]);
  return `${prefix}-${letters.join("")}`;
}
