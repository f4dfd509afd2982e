import { refusalError, vercelError } from "./vercel-error.ts";

/** The SDK has no option for it. */
const sdkUrl = "https://vercel.com/api";

/**
 * `fetch` for the SDK. What fails for the moment is not tried again by the SDK, which would also create twice, and wait where
 * nobody wants to: an error of this name is passed on by it as it is.
 */
class OnlyOnce extends Error {
  override readonly name = "AbortError";
}

export function vercelFetch(apiUrl: string = sdkUrl): typeof fetch {
  return async (input, init) => {
    try {
      const response = await fetch(String(input).replace(sdkUrl, apiUrl), init);
      if (response.status !== 429 && response.status < 500) return response;
      throw refusalError(response, await response.json().catch(() => undefined));
    } catch (error) {
      init?.signal?.throwIfAborted();
      const cause = vercelError(error);
      throw new OnlyOnce(cause.message, { cause });
    }
  };
}
