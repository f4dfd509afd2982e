import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { Context } from "hono";

const maxKeyLength = 255;

/** What the request calls itself, so that a retry is known as one. An empty header is none. */
export function idempotencyKey(c: Context): string | undefined {
  const key = c.req.header("idempotency-key");
  if (key === undefined || key.length <= maxKeyLength) return key || undefined;
  throw new SandboxError("invalid_request", `An Idempotency-Key has at most ${maxKeyLength} characters.`);
}
