import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { SandboxError } from "@sandbox-agent-ts/protocol";

/** Let a request pass that carries the token in one of the ways clients know, else throw `token_invalid`. */
export function checkToken(headers: IncomingHttpHeaders, token: string): void {
  const given = givenToken(headers);
  if (given !== undefined && sameText(given, token)) return;
  throw new SandboxError(
    "token_invalid",
    given === undefined
      ? "This daemon needs a token. Send it as `Authorization: Bearer <token>`."
      : "The token is wrong. Use the one the daemon was started with.",
  );
}

export function givenToken(headers: IncomingHttpHeaders): string | undefined {
  const own = headers["x-sandbox-token"];
  if (typeof own === "string") return own;
  const [, scheme = "", value = ""] = /^\s*(\S+)\s+(.*?)\s*$/.exec(headers.authorization ?? "") ?? [];
  switch (scheme.toLowerCase()) {
    case "bearer":
    case "token":
      return value;
    case "basic":
      return passwordOf(value);
    default:
      return undefined;
  }
}

function passwordOf(credentials: string): string | undefined {
  const decoded = Buffer.from(credentials, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  return colon === -1 ? undefined : decoded.slice(colon + 1);
}

/** Digests have one length, so neither content nor length shows in the time this takes. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
