import { type ProviderErrorOptions, providerError } from "../hosted/provider-error.ts";
import { SandboxProviderError } from "../sandbox-provider.ts";

interface SdkError extends Error {
  readonly statusCode?: number;
  readonly headers?: ProviderErrorOptions["headers"];
}

const momentary = /in progress/i;
const stopped = /no IP address found|is the sandbox started/i;
const limits = /limit|quota|suspended|credit|exceed|not available/i;

/**
 * What Daytona's SDK rejects with, in the words of the seam. Its classes are told apart by their names. Whether a sandbox is
 * gone is not: its toolbox answers 401 for it, as for a wrong key.
 */
export function daytonaError(error: unknown): SandboxProviderError {
  if (error instanceof SandboxProviderError) return error;
  const { name, message, statusCode, headers } = error as SdkError;
  const options = { cause: error, headers };
  if (!/^Daytona\w*Error$/.test(name)) {
    const detail = `What answered is not Daytona's API. Look at apiUrl and at what is in between: ${message}`;
    return new SandboxProviderError("unavailable", detail, { cause: error });
  }
  switch (statusCode) {
    case 400:
      return new SandboxProviderError(stopped.test(message) ? "stopped" : "failed", `Daytona refuses it: ${message}`, {
        cause: error,
      });
    case 401:
      return providerError(
        401,
        "Daytona does not take the API key: set a valid one as apiKey or DAYTONA_API_KEY.",
        options,
      );
    case 403:
      return limits.test(message)
        ? new SandboxProviderError("failed", `Daytona refuses it: ${message}`, { cause: error })
        : providerError(
            403,
            `The API key may not do this at Daytona, give it the right to write and delete sandboxes: ${message}`,
            options,
          );
    case 409:
      return providerError(momentary.test(message) ? 503 : 409, `Daytona: ${message}`, options);
    case 429:
      return providerError(429, `Daytona wants fewer requests: ${message}`, options);
    case undefined:
      return new SandboxProviderError(withoutStatus(name), `Daytona: ${message}`, { cause: error });
  }
  return providerError(statusCode, `Daytona: ${message}`, options);
}

/** The SDK leaves out what the connection said, and has one class for its own deadlines and for those of a request. */
function withoutStatus(name: string): SandboxProviderError["code"] {
  if (/Timeout/.test(name)) return "timeout";
  return name === "DaytonaConnectionError" ? "unavailable" : "failed";
}
