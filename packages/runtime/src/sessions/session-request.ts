import { createHash, randomUUID } from "node:crypto";
import { type CreateSessionRequest, SandboxError } from "@sandbox-agent-ts/protocol";

const maxSessionIdLength = 512;

/** Whose a session is for which nobody is named. */
export const defaultOwner = "application";

/** What a new session is to be: the create request of the API, with what its address and its sender say there. */
export type SessionRequest = Omit<CreateSessionRequest, "agent"> & {
  /** Default: one that nobody guesses. */
  readonly sessionId?: string | undefined;
  /** The principal it belongs to. Default: `application`. */
  readonly owner?: string | undefined;
  /** The same principal with the same key gets the session that the first request made. */
  readonly idempotencyKey?: string | undefined;
  /** The same as a `profile` that is a name. */
  readonly agentProfileReference?: string | undefined;
} & (
    | { readonly agent: string; readonly type?: string | undefined }
    /** The agent, also with what it is driven by behind its id: `claude-sdk`, `gemini-cli`. */
    | { readonly agent?: undefined; readonly type: string }
  );

export interface WantedSession {
  readonly sessionId: string;
  readonly owner: string;
  readonly idempotencyKey: string | undefined;
  readonly request: CreateSessionRequest;
}

/** The request with everything named that it left open. */
export function wantedSession(wanted: SessionRequest): WantedSession {
  const { owner = defaultOwner, idempotencyKey, agentProfileReference, agent, type, ...rest } = wanted;
  const { sessionId = newSessionId(owner, idempotencyKey), ...request } = rest;
  if (sessionId.length > maxSessionIdLength) {
    throw new SandboxError("invalid_request", `A session id has at most ${maxSessionIdLength} characters.`);
  }
  const profile = request.profile ?? (agentProfileReference || undefined);
  const named = { ...request, agent: agent ?? agentOf(type!), ...(profile === undefined ? {} : { profile }) };
  return { sessionId, owner, idempotencyKey, request: named };
}

/** Random, or the same for the same key of the same principal, so that a retry finds what the first try made. */
function newSessionId(owner: string, key: string | undefined): string {
  if (key === undefined) return `ses_${randomUUID()}`;
  return `ses_${createHash("sha256")
    .update(JSON.stringify([owner, key]))
    .digest("base64url")}`;
}

/** Spec 003 names an agent with what it is driven by. */
function agentOf(type: string): string {
  return type
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-")
    .replace(/-(agent-)?(sdk|cli)$/, "");
}
