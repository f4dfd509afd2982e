import type { SessionBlocks, SessionMessage, SessionRuntimeState } from "@sandbox-agent-ts/protocol";

/** The session as it is where following begins; messages after its cursor follow. */
export interface SessionStateEvent {
  readonly name: "session:state";
  readonly data: {
    readonly sessionId: string;
    readonly cursor: number;
    readonly runtime: SessionRuntimeState | null;
    /** Its blocks; over Socket.IO also everything else that the runtime says of the session. */
    readonly state: SessionBlocks;
    /** The turn that runs at the cursor. */
    readonly runningTurnId: string | null;
  };
}

/** How a session's sandbox is now. Told over Socket.IO only. */
export interface SessionStatusEvent {
  readonly name: "session:status";
  readonly data: { readonly sessionId: string; readonly sequence: number; readonly runtime: SessionRuntimeState };
}

/** What `RuntimeClient.follow` gives; narrows by `name`. */
export type RuntimeEvent = SessionStateEvent | SessionStatusEvent | SessionMessage;

/** How a session is followed. */
export interface FollowSessionOptions {
  /** The `cursor` of the last event that was seen; without it the first event is the session's state. */
  readonly after?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}
