import { resolve } from "node:path";
import type { SessionListQuery } from "@sandbox-agent-ts/protocol";
import { decodeCursor, encodeCursor } from "@sandbox-agent-ts/server";
import type { Session } from "./session.ts";
import type { SessionIndex } from "./session-index.ts";
import { statusOf } from "./session-info.ts";

export interface SessionPage {
  readonly sessions: readonly Session[];
  readonly nextCursor: string | undefined;
}

/**
 * The sessions that a query asks for, newest first. A cursor is a place in the order of creation, not a session: pages fit
 * together whatever is created or deleted between them.
 */
export function sessionPage(index: SessionIndex, query: SessionListQuery): SessionPage {
  const { limit = Number.POSITIVE_INFINITY, cursor } = query;
  const fits = filterOf(query);
  const sessions: Session[] = [];
  for (const session of index.newestFirst(cursor === undefined ? undefined : decodeCursor(cursor))) {
    if (!fits(session)) continue;
    if (sessions.length === limit) return { sessions, nextCursor: encodeCursor(sessions.at(-1)!) };
    sessions.push(session);
  }
  return { sessions, nextCursor: undefined };
}

function filterOf({ agent, status, directory, search }: SessionListQuery): (session: Session) => boolean {
  const path = directory === undefined ? undefined : resolve(directory);
  const text = search?.toLowerCase();
  return (session) =>
    (agent === undefined || session.config.agent === agent) &&
    (status === undefined || status.includes(statusOf(session))) &&
    (path === undefined || session.config.directory === path) &&
    (text === undefined || [session.id, session.title ?? ""].some((field) => field.toLowerCase().includes(text)));
}
