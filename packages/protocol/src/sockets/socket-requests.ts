import { z } from "zod";
import { MessageRequest, PermissionReplyRequest } from "../message.ts";
import type { ProblemDetails } from "../problem.ts";
import type { SessionRuntimeState } from "../sandbox.ts";
import type { ChangedFile } from "../workspace.ts";

const sessionId = z.string().min(1).max(512);
const requestId = z.string().min(1).max(512);
const OfSession = z.object({ sessionId });

/** What a client may ask on a socket, by name, with the body of each. Every one is acknowledged with a `SocketAnswer`. */
export const socketRequests = {
  /** Follow a session: without `after` from its state now, with it from the cursor of the last message seen. */
  "session:join": z.object({ sessionId, after: z.number().nonnegative().max(Number.MAX_SAFE_INTEGER).nullish() }),
  "session:leave": OfSession,
  "session:send": z.intersection(
    OfSession.extend({ idempotencyKey: z.string().min(1).max(200).nullish() }),
    MessageRequest,
  ),
  "session:interrupt": OfSession,
  "session:permission:reply": PermissionReplyRequest.extend({ sessionId, permissionId: requestId }),
  /** `answers` is null where nobody wants to answer. */
  "session:question:reply": z.object({
    sessionId,
    questionId: requestId,
    answers: z.array(z.array(z.string())).nullable(),
  }),
  /** Go on with another token of the same principal, before the one in use expires. */
  "connection:token": z.object({ token: z.string().min(1).max(16_384) }),
} as const;

/** The names of what a client may ask on a socket. */
export type SocketRequestName = keyof typeof socketRequests;

/** The body of a request on a socket. */
export type SocketRequest<Name extends SocketRequestName> = z.input<(typeof socketRequests)[Name]>;

/** The same as the runtime has it, validated. */
export type SocketRequestBody<Name extends SocketRequestName> = z.output<(typeof socketRequests)[Name]>;

/** What the runtime tells of a session that somebody joined. */
export interface JoinedSession<State = unknown> {
  /** Messages after it follow. */
  readonly cursor: number;
  readonly runtime: SessionRuntimeState;
  /** Where the join had no `after`: the session as it was at the cursor. */
  readonly state?: State;
  /** With the state: the turn that ran at the cursor, or null. */
  readonly runningTurnId?: string | null;
}

/** What the answers of requests have beside `ok`. */
export interface SocketResults<State = unknown> {
  "session:join": JoinedSession<State>;
  "session:leave": object;
  "session:send": { readonly turnId: string };
  "session:interrupt": object;
  "session:permission:reply": object;
  "session:question:reply": object;
  /** Epoch milliseconds; null where the new token does not expire. */
  "connection:token": { readonly expiresAt: number | null };
}

/** How a request on a socket is acknowledged. */
export type SocketAnswer<Name extends SocketRequestName, State = unknown> =
  | ({ readonly ok: true } & SocketResults<State>[Name])
  | { readonly ok: false; readonly error: ProblemDetails };

/** A change of a file of a session, without its content. */
export interface FileNotice {
  readonly sessionId: string;
  readonly file: ChangedFile;
}

/** What is told beside the log: how things are now, the newest only. */
export interface SocketNotices {
  /** `sequence` is that of the last message of the session that was told before. */
  "session:status": { readonly sessionId: string; readonly sequence: number; readonly runtime: SessionRuntimeState };
  /**
   * What happens to the files in the session's sandbox. They are not of the log, so a join does not repeat them, and a client
   * that reads slowly gets the changes of one path as one.
   */
  "session:file:created": FileNotice;
  "session:file:modified": FileNotice;
  "session:file:deleted": FileNotice;
  /** Changes of files are told from now on, or too many were not told: what is known of the files is to be read again. */
  "session:file:resync": { readonly sessionId: string };
  /** The session is no more; nothing of it follows. */
  "session:deleted": { readonly sessionId: string };
  /** What the runtime could not go on telling; join again, after the last cursor. */
  "session:left": { readonly sessionId: string; readonly error: ProblemDetails };
  /** The list of sessions is another one than before. */
  "sessions:changed": undefined;
  /** The runtime ends the connection, and why. */
  "connection:closing": ProblemDetails;
}
