import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { Principal, Scope } from "./principal.ts";

interface Rule {
  /** The least that a principal's scope has to be. */
  readonly scope: Scope;
  /** Whether a session token is enough, for its own session where the action is about one. */
  readonly byToken: boolean;
}

/** Everything that can be asked of a runtime. */
export const actions = {
  "agents:read": { scope: "read", byToken: true },
  "agents:install": { scope: "write", byToken: false },
  "sessions:list": { scope: "read", byToken: false },
  "sessions:create": { scope: "write", byToken: false },
  "session:read": { scope: "read", byToken: true },
  /** Messages, answers, settings and files. */
  "session:write": { scope: "write", byToken: true },
  /** What ends a session or its sandbox, and tokens for others. */
  "session:manage": { scope: "write", byToken: false },
  "profiles:read": { scope: "read", byToken: false },
  /** Everybody's agents are given them, so that a user who could change them would speak to the agents of others. */
  "profiles:write": { scope: "admin", byToken: false },
  /** How the runtime is: figures that name no session. */
  "runtime:observe": { scope: "read", byToken: false },
  "runtime:admin": { scope: "admin", byToken: false },
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof actions;

/** What has to be known of a session to say who may reach it. */
export interface OwnedSession {
  readonly sessionId: string;
  /** Another one for each session, also of the same id. */
  readonly uid: string;
  readonly owner: string;
}

/** `hidden`: whoever asks must not learn that there is such a session. */
export type Verdict = "allowed" | "refused" | "hidden";

const ranks: Readonly<Record<Scope, number>> = { read: 0, write: 1, admin: 2 };

/**
 * Whether somebody may do something, for REST, streams and sockets alike. Without a session: whether at all, which says
 * nothing about any session.
 */
export function may(principal: Principal, action: Action, session?: OwnedSession): Verdict {
  if (session && !reaches(principal, session)) return "hidden";
  const { scope, byToken } = actions[action];
  if (principal.session && !byToken) return "refused";
  return ranks[principal.scope] >= ranks[scope] ? "allowed" : "refused";
}

/** Throw what a client is told where it may not. */
export function ensureMay(principal: Principal, action: Action, session?: OwnedSession): void {
  const verdict = may(principal, action, session);
  if (verdict === "allowed") return;
  if (verdict === "hidden") throw noSuchSession(session!.sessionId);
  throw new SandboxError("permission_denied", refusal(principal, actions[action]));
}

/** The same for a session of somebody else as for one that never was. */
export function noSuchSession(sessionId: string): SandboxError {
  return new SandboxError("session_not_found", `There is no session "${sessionId}".`, { sessionId });
}

function reaches(principal: Principal, { sessionId, uid, owner }: OwnedSession): boolean {
  if (principal.session) return principal.session.sessionId === sessionId && principal.session.uid === uid;
  return principal.scope === "admin" || principal.principal === owner;
}

function refusal({ session, scope: given }: Principal, { scope, byToken }: Rule): string {
  if (session && !byToken) return "A session token is not enough for this. Use an API key.";
  const what = session ? "session token" : "API key";
  if (given === "read") return `This ${what} may only read. Use one with the scope \`${scope}\`.`;
  return `This needs an API key with the scope \`${scope}\`.`;
}
