import type { IncomingMessage } from "node:http";
import type { Credentials } from "../access/access.ts";

export interface CredentialsOptions {
  /** Pages of these origins may use what the browser adds by itself, such as cookies, beside our own. */
  readonly origins: readonly string[];
  /** What the transport carries beside the request, e.g. `auth.token` of a socket. */
  readonly token?: string | undefined;
}

/** What a request, or the handshake of a socket, says about who it is from. */
export function credentialsOf(request: IncomingMessage, { origins, token }: CredentialsOptions): Credentials {
  const { headers, url = "/", socket } = request;
  return {
    headers,
    url,
    token,
    remoteAddress: socket.remoteAddress,
    urlToken: urlTokenOf(request),
    isCrossSite: isCrossSite(request, origins),
  };
}

/** Streams alone: `EventSource` and sockets of browsers cannot send headers. */
function urlTokenOf({ method, url = "/" }: IncomingMessage): string | undefined {
  const [path = "", query = ""] = url.split("?", 2);
  const isStream = method === "GET" && (path.endsWith("/sse") || path.startsWith("/socket.io"));
  return isStream ? (new URLSearchParams(query).get("token") ?? undefined) : undefined;
}

/** Whether a page of another site is behind it. `*` lets pages read what they have a key for, and nothing more. */
function isCrossSite({ headers: { origin, host } }: IncomingMessage, origins: readonly string[]): boolean {
  if (origin === undefined || origins.includes(origin)) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
