import { type ProviderErrorCode, SandboxProviderError } from "../sandbox-provider.ts";

/** Errors of calls, with how long Modal wants to be left alone. */
const waits = new WeakMap<Error, number>();

export function noteRetryAfter(error: unknown, details: Uint8Array | undefined): void {
  const ms = details && retryAfterOf(Buffer.from(details));
  if (error instanceof Error && ms !== undefined) waits.set(error, ms);
}

/** What Modal's SDK rejects with, in the words of the seam: errors of gRPC by their codes, others by their names. */
export function modalError(error: unknown): SandboxProviderError {
  if (error instanceof SandboxProviderError) return error;
  const { name, message, code, details } = error as Error & { code?: unknown; details?: string };
  const known = name === "ClientError" ? codes[Number(code)] : names[name];
  const retryAfterMs = waits.get(error as Error);
  return new SandboxProviderError(known ?? "failed", sentence(known, details ?? message), {
    cause: error,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function sentence(code: ProviderErrorCode | undefined, detail: string): string {
  if (code === "unauthorized")
    return `Modal does not take the token: set a valid one as tokenId and tokenSecret, or MODAL_TOKEN_ID and MODAL_TOKEN_SECRET. ${detail}`;
  if (code === "rate_limited") return `Modal wants fewer requests: ${detail}`;
  return `Modal: ${detail}`;
}

/** The codes of gRPC; what is not here says that the request was wrong. */
const codes: Readonly<Record<number, ProviderErrorCode>> = {
  1: "unavailable",
  2: "unavailable",
  4: "timeout",
  5: "not_found",
  6: "conflict",
  7: "unauthorized",
  8: "rate_limited",
  9: "conflict",
  10: "conflict",
  13: "unavailable",
  14: "unavailable",
  16: "unauthorized",
};

const names: Readonly<Record<string, ProviderErrorCode>> = {
  NotFoundError: "not_found",
  AlreadyExistsError: "conflict",
  ConflictError: "conflict",
  TimeoutError: "timeout",
  SandboxTimeoutError: "timeout",
  ResourceExhaustedError: "unavailable",
  ClientClosedError: "unavailable",
};

const policyName = "/modal.client.RPCRetryPolicy";

/**
 * A `google.rpc.Status` with one detail, which has one number: behind the detail's name are the tag and the length of its
 * message, the tag of a float, and the seconds.
 */
function retryAfterOf(details: Buffer): number | undefined {
  const at = details.indexOf(policyName);
  const value = at + policyName.length;
  if (at === -1 || details.length < value + 7 || details[value] !== 0x12 || details[value + 2] !== 0x0d)
    return undefined;
  return Math.ceil(details.readFloatLE(value + 3) * 1_000);
}
