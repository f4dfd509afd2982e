import { type ProviderErrorCode, SandboxProviderError } from "../sandbox-provider.ts";

/** Headers of an answer, as whichever client has them. */
export type AnswerHeaders =
  | { forEach(callback: (value: string, name: string) => void): void }
  | Readonly<Record<string, unknown>>;

export interface ProviderErrorOptions {
  readonly headers?: AnswerHeaders | undefined;
  readonly cause?: unknown;
}

/**
 * An HTTP status of a service in the words of the seam. `status` is undefined where no answer came; what became of it is then
 * read from `cause`. An error that is in those words already is answered as it is.
 */
export function providerError(
  status: number | undefined,
  message: string,
  { headers, cause }: ProviderErrorOptions = {},
): SandboxProviderError {
  if (cause instanceof SandboxProviderError) return cause;
  const code = status === undefined ? codeWithoutAnswer(cause) : codeOfStatus(status);
  const retryAfterMs = headers === undefined ? undefined : retryAfterOf(headers);
  return new SandboxProviderError(code, message, {
    ...(cause === undefined ? {} : { cause }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

export function isProviderError(error: unknown, ...codes: readonly ProviderErrorCode[]): error is SandboxProviderError {
  return error instanceof SandboxProviderError && (codes.length === 0 || codes.includes(error.code));
}

/** What is there no more: nothing that is asked of it helps. */
export const goneError = (id: string, why?: string): SandboxProviderError =>
  new SandboxProviderError("not_found", `There is no sandbox ${id} any more.${why === undefined ? "" : ` ${why}`}`);

function codeOfStatus(status: number): ProviderErrorCode {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 404 || status === 410) return "not_found";
  if (status === 408 || status === 504) return "timeout";
  if (status === 409) return "conflict";
  if (status === 429) return "rate_limited";
  return status >= 500 ? "unavailable" : "failed";
}

const connectionCodes =
  /^(?:ECONN|ENOTFOUND|EAI_|EHOSTUN|ENETUN|ENETDOWN|EPIPE|ETIMEDOUT|UND_ERR_|CERT_|ERR_TLS|ERR_SSL|ERR_STREAM_PREMATURE)/;

function codeWithoutAnswer(cause: unknown): ProviderErrorCode {
  const causes = chainOf(cause);
  if (causes.some(({ name, code }) => name === "TimeoutError" || /TIMEOUT|ETIMEDOUT/.test(code))) return "timeout";
  const isConnection = ({ name, code, message }: Cause) =>
    connectionCodes.test(code) || (name === "TypeError" && message === "fetch failed") || message === "socket hang up";
  return causes.some(isConnection) ? "unavailable" : "failed";
}

interface Cause {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

const longestChain = 10;

/** An error and what it was caused by, down to the system's own. */
export function chainOf(error: unknown): readonly Cause[] {
  const chain: Cause[] = [];
  for (let at = error; at instanceof Error && chain.length < longestChain; at = at.cause) {
    const { name, code, message } = at as Error & { code?: unknown };
    chain.push({ name, code: typeof code === "string" ? code : "", message });
  }
  return chain;
}

/** `Retry-After`, also with the suffix that says for what; of several the longest. In seconds, or as a date. */
function retryAfterOf(headers: AnswerHeaders, now = Date.now()): number | undefined {
  const waits: number[] = [];
  const look = (value: unknown, name: string) => {
    if (!/^retry-after(?:-|$)/i.test(name)) return;
    const text = String(Array.isArray(value) ? value[0] : value).trim();
    const isSeconds = /^\d+(?:\.\d+)?$/.test(text);
    const unit = /-ms$/i.test(name) ? 1 : 1_000;
    const ms = isSeconds ? Number(text) * unit : Date.parse(text) - now;
    if (Number.isFinite(ms)) waits.push(Math.max(0, Math.ceil(ms)));
  };
  if (typeof headers.forEach === "function") headers.forEach(look);
  else for (const [name, value] of Object.entries(headers)) look(value, name);
  return waits.length === 0 ? undefined : Math.max(...waits);
}
