import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { Principal } from "./principal.ts";

/** What a page may be given: never more than one session, never to administrate. */
export type TokenScope = "read" | "write";

export interface SessionTokenRequest {
  readonly session: NonNullable<Principal["session"]>;
  readonly scope: TokenScope;
  readonly expiresAt: number;
  /** Who gives it. */
  readonly issuer: Pick<Principal, "principal" | "keyId" | "requestsPerMinute">;
}

/** What is signed; short names, because it travels in URLs. */
interface Payload {
  readonly s: string;
  readonly u: string;
  readonly p: string;
  readonly c: TokenScope;
  readonly e: number;
  readonly k?: string;
  readonly r?: number;
}

const prefix = "sat_";
const keyBytes = 32;
/** Longer ones are not even looked at; ids of sessions have at most 512 characters. */
const maxLength = 8 * 1024;

export function isSessionToken(token: string): boolean {
  return token.startsWith(prefix);
}

/** Signs and reads the tokens with which pages reach one session for a while. Nothing of them is stored. */
export class SessionTokens {
  readonly #key: Buffer;

  constructor(secretKey: string) {
    this.#key = Buffer.from(hkdfSync("sha256", secretKey, "", "session tokens", keyBytes));
  }

  sign({ session, scope, expiresAt, issuer }: SessionTokenRequest): string {
    const { principal, keyId, requestsPerMinute } = issuer;
    const payload: Payload = {
      s: session.sessionId,
      u: session.uid,
      p: principal,
      c: scope,
      e: expiresAt,
      ...(keyId === undefined ? {} : { k: keyId }),
      ...(requestsPerMinute === undefined ? {} : { r: requestsPerMinute }),
    };
    const body = Buffer.from(JSON.stringify(payload)).toString("base64url");
    return `${prefix}${body}.${this.#signature(body).toString("base64url")}`;
  }

  /** Who comes with it. Whether session and key are still there is not known here. */
  read(token: string): Principal {
    const [body = "", signature = "", ...rest] = token.slice(prefix.length).split(".");
    const given = Buffer.from(signature, "base64url");
    const right = this.#signature(body);
    const isOurs =
      isSessionToken(token) && token.length <= maxLength && rest.length === 0 && given.length === right.length;
    if (!isOurs || !timingSafeEqual(given, right)) throw wrongToken();
    const payload = JSON.parse(Buffer.from(body, "base64url").toString("utf8")) as Payload;
    if (payload.e <= Date.now()) throw expiredToken();
    return {
      principal: payload.p,
      scope: payload.c,
      keyId: payload.k,
      session: { sessionId: payload.s, uid: payload.u },
      expiresAt: payload.e,
      requestsPerMinute: payload.r,
    };
  }

  #signature(body: string): Buffer {
    return createHmac("sha256", this.#key).update(body).digest();
  }
}

export function wrongToken(): SandboxError {
  return new SandboxError("token_invalid", "The session token is not valid. Ask for another one.");
}

function expiredToken(): SandboxError {
  return new SandboxError("token_invalid", "The session token has expired. Ask for another one.");
}
