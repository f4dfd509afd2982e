import type { IncomingMessage, ServerResponse } from "node:http";
import type { AgentLogger } from "@sandbox-agent-ts/agents";

/** One line per request when it is over, with its headers redacted by the logger. */
export function logRequest(log: AgentLogger, request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now();
  const { method, url, headers } = request;
  response.once("close", () => {
    const fields = {
      method,
      url,
      status: response.statusCode,
      ms: Math.round(performance.now() - startedAt),
      ...(response.writableFinished ? {} : { aborted: true }),
    };
    log.info(fields, "request");
    log.debug({ method, url, headers }, "request headers");
  });
}
