import type { IncomingHttpHeaders } from "node:http";

const keyHeaders = ["authorization", "x-api-key", "x-goog-api-key", "api-key"];

/** Whether a request comes with one of these keys, in whatever way its API takes it. */
export function isRefused(headers: IncomingHttpHeaders, refusedKeys: readonly string[]): boolean {
  const given = keyHeaders.map((name) => String(headers[name] ?? "").replace(/^Bearer /i, ""));
  return refusedKeys.some((key) => given.includes(key));
}
