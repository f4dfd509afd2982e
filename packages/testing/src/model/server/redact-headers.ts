import type { IncomingHttpHeaders } from "node:http";

const secretHeaders = new Set([
  "authorization",
  "proxy-authorization",
  "x-api-key",
  "x-goog-api-key",
  "api-key",
  "cookie",
]);
const SHOWN_CHARACTERS = 4;

/** Headers as one string each, without secrets: `Bearer …1234`. */
export function redactHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const text = Array.isArray(value) ? value.join(", ") : value;
      return [[name, secretHeaders.has(name) ? redact(text) : text]];
    }),
  );
}

function redact(value: string): string {
  const [, scheme = "", secret = value] = /^(\w+ )(.+)$/.exec(value) ?? [];
  return `${scheme}…${secret.length > SHOWN_CHARACTERS ? secret.slice(-SHOWN_CHARACTERS) : ""}`;
}
