export type Scope = "read" | "write" | "admin";

/** Who is asking, and what for. */
export interface Principal {
  /** Whose sessions are reached; a name that the application or `runtime keys create --principal` chose. */
  readonly principal: string;
  /** `read` only reads, `write` also changes, `admin` does so with the sessions of everybody. */
  readonly scope: Scope;
  /** The API key it came with, or the one with which its session token was made. */
  readonly keyId?: string | undefined;
  /** A session token reaches this session and no other; not one of the same id that was made later, either. */
  readonly session?: { readonly sessionId: string; readonly uid: string } | undefined;
  /** Epoch milliseconds; what was opened with it ends then. */
  readonly expiresAt?: number | undefined;
  /** Requests beyond it are refused. Default: no limit. */
  readonly requestsPerMinute?: number | undefined;
}
