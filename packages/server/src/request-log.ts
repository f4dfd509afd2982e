import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "./log/logger.ts";

/** One line per request when it is over, with its headers redacted by the logger. That somebody asks for our health is no news. */
export function logRequest(log: Logger, request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now();
  const { method, headers } = request;
  const url = withoutToken(request.url);
  response.once("close", () => {
    const fields = {
      method,
      url,
      status: response.statusCode,
      ms: Math.round(performance.now() - startedAt),
      ...(response.writableFinished ? {} : { aborted: true }),
    };
    log[url === "/v1/health" ? "debug" : "info"](fields, "request");
    log.debug({ method, url, headers: { ...headers, referer: withoutToken(headers.referer) } }, "request headers");
  });
}

/** Links to the inspector may have the token in their query. */
function withoutToken(url: string | undefined): string | undefined {
  return url?.replace(/([?&]token=)[^&#]*/g, "$1…");
}
