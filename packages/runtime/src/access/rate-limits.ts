import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { Principal } from "./principal.ts";

interface Bucket {
  left: number;
  at: number;
}

const minute = 60_000;
const maxBuckets = 10_000;

/**
 * Counts requests per key, or per principal where no key is known, in this process. What is not used in a minute is not
 * saved up; up to a minute's worth may come at once.
 */
export class RateLimits {
  readonly #buckets = new Map<string, Bucket>();

  /** Count one request, or throw `too_many_requests` with the time to wait. */
  count({ principal, keyId, requestsPerMinute: limit }: Principal, now = Date.now()): void {
    if (limit === undefined) return;
    const id = keyId === undefined ? `principal ${principal}` : `key ${keyId}`;
    const bucket = this.#buckets.get(id) ?? this.#open(id, limit, now);
    bucket.left = Math.min(limit, bucket.left + ((now - bucket.at) / minute) * limit);
    bucket.at = now;
    if (bucket.left < 1) throw tooMany(limit, Math.ceil(((1 - bucket.left) / limit) * (minute / 1_000)));
    bucket.left -= 1;
  }

  #open(id: string, limit: number, now: number): Bucket {
    if (this.#buckets.size >= maxBuckets) this.#forgetFull(now);
    const bucket = { left: limit, at: now };
    this.#buckets.set(id, bucket);
    return bucket;
  }

  /** Who has not asked for a minute has its whole limit again. */
  #forgetFull(now: number): void {
    for (const [id, { at }] of this.#buckets) if (now - at >= minute) this.#buckets.delete(id);
  }
}

function tooMany(limit: number, retryAfter: number): SandboxError {
  const sentence = `More than ${limit} requests a minute. Try again in ${retryAfter} s.`;
  return new SandboxError("too_many_requests", sentence, { details: { retryAfter } });
}
