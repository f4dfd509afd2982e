import { providerError } from "../hosted/provider-error.ts";
import { SandboxProviderError } from "../sandbox-provider.ts";

/**
 * What E2B's SDK rejects with, in the words of the seam. Its classes are told apart by their names. Whether a sandbox is gone
 * is not: its SDK says "not found" and "timeout" of one that is paused, and of one that is busy.
 */
export function e2bError(error: unknown): SandboxProviderError {
  if (error instanceof SandboxProviderError) return error;
  const { name, message, statusCode } = error as Error & { statusCode?: number };
  const options = { cause: error };
  switch (name) {
    case "AuthenticationError":
      return providerError(401, `E2B does not take the API key: set a valid one as apiKey or E2B_API_KEY.`, options);
    case "RateLimitError":
      return providerError(429, `E2B wants fewer requests: ${message}`, options);
    case "ServiceBusyError":
      return providerError(503, `E2B is busy: ${message}`, options);
    case "SandboxNotFoundError":
      return new SandboxProviderError("not_found", `E2B: ${message}`, options);
    case "TimeoutError":
      return timeoutError(error as Error);
    case "SyntaxError":
      return providerError(502, `What answered is not E2B's API. Look at what is in between: ${message}`, options);
  }
  // "404" without a body of the API is no word about a sandbox.
  const status = statusCode === 404 ? undefined : statusCode;
  return providerError(status, `E2B: ${message}`, options);
}

/** The SDK has one class for a command's time, a request's time, and a sandbox that its proxy does not reach. */
function timeoutError(cause: Error): SandboxProviderError {
  const isOver = /deadline_exceeded|canceled|aborted|timed out/i.test(cause.message);
  return new SandboxProviderError(isOver ? "timeout" : "unavailable", `E2B: ${cause.message}`, { cause });
}
