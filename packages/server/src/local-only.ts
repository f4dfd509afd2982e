import type { IncomingHttpHeaders } from "node:http";
import { SandboxError } from "@sandbox-agent-ts/protocol";

const localNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Without a token the browser's own headers are the only guard: a page of another site that gets here, by a rebound DNS
 * name or by posting blindly, shows in `Host` or `Origin`.
 */
export function checkLocal(headers: IncomingHttpHeaders, boundHost: string, allowedOrigins: readonly string[]): void {
  const host = hostName(`http://${headers.host ?? ""}`);
  if (!isLocal(host, boundHost)) throw refused(`the host "${headers.host ?? ""}"`);
  const { origin } = headers;
  if (origin === undefined || allowedOrigins.includes(origin) || allowedOrigins.includes("*")) return;
  if (!isLocal(hostName(origin), boundHost)) throw refused(`the origin "${origin}"`);
}

function isLocal(host: string | undefined, boundHost: string): boolean {
  return host !== undefined && (localNames.has(host) || host.endsWith(".localhost") || host === boundHost);
}

function hostName(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function refused(what: string): SandboxError {
  return new SandboxError(
    "permission_denied",
    `A daemon without a token does not answer ${what}. Use a local address, or start the daemon with a token.`,
  );
}
