import { providerError } from "../hosted/provider-error.ts";
import { SandboxProviderError } from "../sandbox-provider.ts";

/** Its end was begun and goes on: it can be neither used nor resumed until that is over. */
export class StoppingError extends SandboxProviderError {
  constructor(cause: unknown) {
    super("stopped", "Vercel is still saving what is on the sandbox's disk. Try again in some seconds.", { cause });
  }
}

/** What was kept of a disk is there no more. */
export class ForgottenError extends SandboxProviderError {
  constructor(cause: unknown) {
    super("not_found", "Vercel has no such snapshot: it expired, or was removed.", { cause });
  }
}

/** The SDK has one class for all that the API refuses; it is known by its answer. */
interface Refused extends Error {
  readonly response: Response;
  readonly json?: unknown;
}

/** What Vercel's SDK rejects with, in the words of the seam. */
export function vercelError(error: unknown): SandboxProviderError {
  if (error instanceof SandboxProviderError) return error;
  const { cause, message } = error as Error;
  if (cause instanceof SandboxProviderError) return cause;
  if (isRefused(error)) return refusalError(error.response, error.json, error);
  // A stream that ended before its command did; the SDK knows no more.
  if ((error as Error).name === "StreamError")
    return new SandboxProviderError("unavailable", `Vercel broke off: ${message}`, { cause: error });
  if ((error as Error).name === "ZodError") return notTheApi(error);
  return providerError(undefined, `Vercel: ${message}`, { cause: error });
}

/** An answer that is no success. `json`: its body, where it is one of the API's. */
export function refusalError(response: Response, json: unknown, cause?: unknown): SandboxProviderError {
  const { status, headers } = response;
  const { code, message = `it answered ${status}` } = (json as ErrorBody | undefined)?.error ?? {};
  const options = { headers, cause };
  if (status === 401 || status === 403) {
    const what =
      "Set a valid token as VERCEL_TOKEN, of a user who may use the team and the project, or run vercel env pull again";
    return providerError(status, `Vercel does not take the token (${message}). ${what}.`, options);
  }
  if (status === 429) return providerError(status, `Vercel wants fewer requests: ${message}`, options);
  if (status >= 500) return providerError(status, `Vercel does not work at the moment: ${message}`, options);
  if (code === "snapshot_not_found") return new ForgottenError(cause);
  if (status === 410) return new SandboxProviderError("stopped", "The sandbox is stopped.", { cause });
  if (code === "sandbox_stopping" || code === "sandbox_snapshotting") return new StoppingError(cause);
  // Whoever is in between says "404", too.
  if (status < 400 || code === undefined) return notTheApi(cause);
  return providerError(status, `Vercel: ${message}`, options);
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string };
}

function notTheApi(cause: unknown): SandboxProviderError {
  const detail =
    "What answered is not Vercel's API, or an API that this version of @vercel/sandbox does not know. Look at what is in between.";
  return new SandboxProviderError("unavailable", detail, { cause });
}

function isRefused(error: unknown): error is Refused {
  return typeof (error as Partial<Refused> | undefined)?.response?.status === "number";
}
