import type { ServerResponse } from "node:http";
import { SandboxError } from "@sandbox-agent-ts/protocol";

export const problemType = "application/problem+json";

/** Whatever was thrown, as an error for the client. What is not ours stays in the log, not in the answer. */
export function toClientError(error: unknown): SandboxError {
  if (error instanceof SandboxError) return error;
  return new SandboxError("internal_error", "Something went wrong in the daemon. Its log says what.", { cause: error });
}

export function problemResponse(
  error: SandboxError,
  instance: string,
  redact: (json: string) => string = (json) => json,
): Response {
  return new Response(redact(JSON.stringify(error.toProblem(instance))), {
    status: error.status,
    headers: { "content-type": problemType, ...extraHeaders(error) },
  });
}

/** The same for an answer that Hono has no part in. */
export function sendProblem(response: ServerResponse, error: SandboxError, instance: string): void {
  const body = JSON.stringify(error.toProblem(instance));
  response.writeHead(error.status, {
    "content-type": problemType,
    "content-length": Buffer.byteLength(body),
    ...extraHeaders(error),
  });
  response.end(body);
}

function extraHeaders(error: SandboxError): Record<string, string> {
  if (error.code === "token_invalid") return { "www-authenticate": 'Bearer realm="sandbox-agent"' };
  if (error.code === "method_not_allowed") return { allow: (error.details as { allow: string }).allow };
  if (error.code === "too_many_requests") return { "retry-after": `${retryAfter(error)}` };
  return {};
}

/** In seconds. */
function retryAfter({ details }: SandboxError): number {
  return (details as { retryAfter?: number } | undefined)?.retryAfter ?? 1;
}
