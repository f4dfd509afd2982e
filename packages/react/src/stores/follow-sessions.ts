import type { SessionInfo, SessionListEntry, SessionListEvent } from "@sandbox-agent-ts/protocol";
import { type SandboxAgent, SandboxAgentError } from "@sandbox-agent-ts/sdk";
import { asError } from "./as-error.ts";
import type { Unsubscribe } from "./listeners.ts";
import { nextFrame } from "./next-frame.ts";
import type { Follower } from "./polled-store.ts";
import { RECONNECT, REFUSED_PAUSE_MS } from "./session-stream.ts";

type Sessions = readonly SessionInfo[];
type SessionChange = Exclude<SessionListEvent, { type: "reset" }>;

/** Keep the list of sessions up to date by the daemon's stream of all sessions, at most once per frame. */
export function followSessions(client: SandboxAgent, follower: Follower<Sessions>): Unsubscribe {
  const abort = new AbortController();
  const { signal } = abort;
  let arrived: SessionChange[] = [];
  let cancelFrame: (() => void) | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  const deliver = () => {
    cancelFrame?.();
    cancelFrame = undefined;
    const changes = arrived;
    arrived = [];
    if (changes.length > 0) follower.update((sessions) => changes.reduce(applySessionChange, sessions));
  };
  const take = (event: SessionListEvent) => {
    if (event.type === "reset") {
      deliver();
      follower.reload();
      return;
    }
    arrived.push(event);
    cancelFrame ??= nextFrame(deliver);
  };
  const onConnection = (state: "live" | "reconnecting", failure?: unknown) => {
    if (signal.aborted) return;
    if (state === "live") follower.connected();
    else follower.disconnected(asError(failure));
  };
  const follow = async () => {
    try {
      const events = client.streamSessions({ signal, reconnect: RECONNECT, onConnection });
      for await (const event of events) if (!signal.aborted) take(event);
    } catch (failure) {
      if (signal.aborted) return;
      deliver();
      if (failure instanceof SandboxAgentError && failure.status === 404) follower.unsupported();
      else {
        follower.disconnected(asError(failure));
        retryTimer = setTimeout(() => void follow(), REFUSED_PAUSE_MS);
      }
    }
  };

  void follow();
  return () => {
    abort.abort();
    clearTimeout(retryTimer);
    cancelFrame?.();
  };
}

export function applySessionChange(sessions: Sessions, change: SessionChange): Sessions {
  const sessionId = change.type === "session.deleted" ? change.sessionId : change.session.sessionId;
  const index = sessions.findIndex((session) => session.sessionId === sessionId);
  const known = sessions[index];
  if (change.type === "session.deleted") return known ? sessions.toSpliced(index, 1) : sessions;
  const { session } = change;
  if (known?.createdAt !== session.createdAt) return insert(known ? sessions.toSpliced(index, 1) : sessions, session);
  // The list was read after the event had been sent.
  if (session.eventCount < known.eventCount) return sessions;
  return sessions.with(index, withLongSettings(known, session));
}

/** What the stream tells of a session, with the settings that it leaves out as they were. */
export function withLongSettings(known: SessionInfo | undefined, entry: SessionListEntry): SessionInfo {
  if (known?.createdAt !== entry.createdAt) return entry;
  const { mcp, skills, policy, requestTimeout } = known;
  const kept = Object.entries({ mcp, skills, policy, requestTimeout }).filter(([, value]) => value !== undefined);
  return { ...entry, ...Object.fromEntries(kept) };
}

/** Newest first, in the daemon's order. */
function insert(sessions: Sessions, session: SessionInfo): Sessions {
  const index = sessions.findIndex((other) => isNewer(session, other));
  return sessions.toSpliced(index === -1 ? sessions.length : index, 0, session);
}

function isNewer(a: SessionInfo, b: SessionInfo): boolean {
  return a.createdAt === b.createdAt ? a.sessionId > b.sessionId : a.createdAt > b.createdAt;
}
