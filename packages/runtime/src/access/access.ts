import type { IncomingHttpHeaders } from "node:http";
import { SandboxError, sessionTokenLifetime } from "@sandbox-agent-ts/protocol";
import { givenToken } from "@sandbox-agent-ts/server";
import type { ApiKeys } from "./api-keys.ts";
import { ensureMay, type OwnedSession } from "./may.ts";
import type { Principal } from "./principal.ts";
import { RateLimits } from "./rate-limits.ts";
import { isSessionToken, type SessionTokens, type TokenScope, wrongToken } from "./session-tokens.ts";

/** What comes with a request or the handshake of a socket. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders;
  /** Path and query. */
  readonly url?: string | undefined;
  readonly remoteAddress?: string | undefined;
  /** Where it is not in a header, e.g. `auth.token` of a socket. */
  readonly token?: string | undefined;
  /** Of the query, where clients can send no header. Only session tokens count there: URLs get into logs. */
  readonly urlToken?: string | undefined;
  /** A page of another site is behind it: what the browser adds by itself says nothing about who asks. */
  readonly isCrossSite?: boolean | undefined;
}

/**
 * The application's own sign-in, e.g. by its cookies. Asked before API keys and session tokens, which count where it answers
 * null; what it throws refuses the request. It is not asked about requests of other sites' pages, whose cookies would come
 * with them.
 */
export type Authenticate = (credentials: Credentials) => Principal | null | Promise<Principal | null>;

export interface AccessOptions {
  readonly keys: ApiKeys;
  readonly tokens: SessionTokens;
  readonly authenticate?: Authenticate | undefined;
}

export interface NewSessionToken {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

const second = 1_000;

/** Who comes in: one place for requests, streams and sockets. What they may do then is said by `may`. */
export class Access {
  readonly #options: AccessOptions;
  readonly #limits = new RateLimits();

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** Who this is. Rejects with `token_invalid` where nobody known, with `too_many_requests` where its limit is reached. */
  async principalOf(credentials: Credentials): Promise<Principal> {
    const principal = (await this.#signedIn(credentials)) ?? (await this.#holderOf(credentials));
    if (principal.principal === "") throw new SandboxError("token_invalid", "Whoever comes in needs a name.");
    this.count(principal);
    return principal;
  }

  /** Count one more request of somebody who is in already, such as a message on a socket. */
  count(principal: Principal): void {
    this.#limits.count(principal);
  }

  /** Whether what it came in with still holds: streams and sockets ask again while they are open. */
  async isStillIn({ keyId, expiresAt }: Principal): Promise<boolean> {
    if (expiresAt !== undefined && expiresAt <= Date.now()) return false;
    return keyId === undefined || (await this.#options.keys.isKnown(keyId));
  }

  /** A token for one session, for `expiresIn` seconds and not beyond what whoever asks has itself. */
  issueToken(
    issuer: Principal,
    session: OwnedSession,
    { scope, expiresIn = sessionTokenLifetime.default }: { scope: TokenScope; expiresIn?: number | undefined },
  ): NewSessionToken {
    ensureMay(issuer, "session:manage", session);
    const wished = Date.now() + Math.min(expiresIn, sessionTokenLifetime.max) * second;
    const expiresAt = Math.min(wished, issuer.expiresAt ?? wished);
    const { sessionId, uid } = session;
    return { token: this.#options.tokens.sign({ session: { sessionId, uid }, scope, expiresAt, issuer }), expiresAt };
  }

  async #signedIn(credentials: Credentials): Promise<Principal | null> {
    if (credentials.isCrossSite) return null;
    return (await this.#options.authenticate?.(credentials)) ?? null;
  }

  async #holderOf({ headers, token: own, urlToken }: Credentials): Promise<Principal> {
    const { keys } = this.#options;
    const token = own ?? givenToken(headers);
    if (token !== undefined) return isSessionToken(token) ? this.#tokenHolder(token) : keys.principalOf(token);
    if (urlToken === undefined) return keys.principalOf(undefined);
    if (isSessionToken(urlToken)) return this.#tokenHolder(urlToken);
    throw new SandboxError("token_invalid", "An API key does not belong into a URL. Use a session token there.");
  }

  async #tokenHolder(token: string): Promise<Principal> {
    const principal = this.#options.tokens.read(token);
    if (await this.isStillIn(principal)) return principal;
    throw wrongToken();
  }
}
