import {
  createSessionSummary,
  type RuntimeSessionListQuery,
  type RuntimeSessionListResponse,
  type SessionInfo,
  type SessionListQuery,
  type SessionListResponse,
  type SessionRuntimeState,
  type SessionSummary,
} from "@sandbox-agent-ts/protocol";
import { decodeCursor, encodeCursor, SessionListFeed } from "@sandbox-agent-ts/server";
import type { Principal } from "../access/principal.ts";
import { listData } from "../persistence/list-data.ts";
import type { ListedSession } from "../store/runtime-store.ts";
import type { AgentSession } from "./agent-session.ts";
import type { RuntimeDeps } from "./runtime-deps.ts";
import type { SessionListItem } from "./session-data.ts";
import { sessionInfoOf } from "./session-info.ts";

const defaultPageSize = 100;
const sessionsPerRead = 500;
/** Whose feed has every session. */
const everybody = Symbol("everybody");
export const notLoaded: SessionRuntimeState = { isLoaded: false, sandbox: null };

type ListDeps = Pick<RuntimeDeps, "store" | "bus" | "persistence" | "log">;

/** All sessions of a store, as pages and as a feed of changes, with where those that are loaded run. */
export class SessionList {
  readonly #deps: ListDeps;
  readonly #loaded: (sessionId: string) => AgentSession | undefined;
  readonly #feeds = new Map<string | typeof everybody, SessionListFeed>();

  constructor(deps: ListDeps, loaded: (sessionId: string) => AgentSession | undefined) {
    this.#deps = deps;
    this.#loaded = loaded;
  }

  /** A page of all sessions that a principal may see, newest first. */
  async page(query: SessionListQuery, principal: Principal): Promise<SessionListResponse> {
    if (query.cursor === undefined) await this.#adoptAll();
    const { limit = defaultPageSize, cursor, agent, search, status, directory } = query;
    const owner = principal.scope === "admin" ? undefined : principal.principal;
    const sessions: SessionInfo[] = [];
    let after = cursor === undefined ? undefined : placeOf(cursor);
    while (true) {
      const page = await this.#deps.store.sessions({ owner, agent, search, limit, after });
      for (const row of page.sessions) {
        const info = this.#loaded(row.sessionId)?.info() ?? storedInfo(row);
        const fits =
          (status === undefined || status.includes(info.status)) &&
          (directory === undefined || info.directory === directory);
        after = { createdAt: row.createdAt, sessionId: row.sessionId };
        if (fits) sessions.push(info);
        if (sessions.length === limit) {
          const isLast = row === page.sessions.at(-1) && !page.hasMore;
          return isLast
            ? { sessions }
            : { sessions, nextCursor: encodeCursor({ createdAt: row.createdAt, id: row.sessionId }) };
        }
      }
      if (!page.hasMore) return { sessions };
    }
  }

  /** The same in spec 003's words. */
  async items(
    { limit = defaultPageSize, cursor, q, type }: RuntimeSessionListQuery,
    principal: Principal,
  ): Promise<RuntimeSessionListResponse> {
    if (cursor === undefined) await this.#adoptAll();
    const owner = principal.scope === "admin" ? undefined : principal.principal;
    const after = cursor === undefined ? undefined : placeOf(cursor);
    const page = await this.#deps.store.sessions({ owner, agent: type, search: q, limit, after });
    const last = page.hasMore ? page.sessions.at(-1) : undefined;
    return {
      sessions: page.sessions.map((row) => this.#item(row)),
      ...(last ? { nextCursor: encodeCursor({ createdAt: last.createdAt, id: last.sessionId }) } : {}),
    };
  }

  /** Every session, newest first. */
  async all(): Promise<SessionListItem[]> {
    await this.#adoptAll();
    const all: SessionListItem[] = [];
    for (let after: ListedSession | undefined; ; ) {
      const { sessions, hasMore } = await this.#deps.store.sessions({ limit: sessionsPerRead, after });
      for (const row of sessions) all.push(this.#item(row));
      after = sessions.at(-1);
      if (!hasMore) return all;
    }
  }

  /** What happens to the list that a principal sees. */
  feed(principal: Principal): SessionListFeed {
    return this.#feed(principal.scope === "admin" ? everybody : principal.principal);
  }

  touch({ sessionId, owner }: AgentSession, change: Parameters<SessionListFeed["touch"]>[1]): void {
    for (const feed of this.#feedsOf(owner)) feed.touch(sessionId, change);
    if (change !== "progress") this.#deps.bus.emit("sessions:changed", { owner });
  }

  remove(sessionId: string, owner: string): void {
    for (const feed of this.#feedsOf(owner)) feed.remove(sessionId);
    this.#deps.bus.emit("sessions:changed", { owner });
  }

  #item(row: ListedSession): SessionListItem {
    return this.#loaded(row.sessionId)?.getListData() ?? { ...listData(row), runtime: notLoaded };
  }

  /** A storage that does not answer leaves the list as it is known. */
  async #adoptAll(): Promise<void> {
    const { persistence, log } = this.#deps;
    await persistence
      ?.adoptAll()
      .catch((err: unknown) => log.warn({ err }, "sessions of the application are not listed"));
  }

  #feedsOf(owner: string): SessionListFeed[] {
    return [this.#feed(everybody), this.#feed(owner)];
  }

  #feed(owner: string | typeof everybody): SessionListFeed {
    const known = this.#feeds.get(owner);
    if (known) return known;
    const feed = new SessionListFeed((sessionId) => {
      const info = this.#loaded(sessionId)?.info();
      if (!info) return undefined;
      const { mcp: _mcp, skills: _skills, policy: _policy, requestTimeout: _timeout, ...entry } = info;
      return entry;
    });
    this.#feeds.set(owner, feed);
    return feed;
  }
}

/** A session that is not loaded, as clients see it. */
export function storedInfo(row: ListedSession): SessionInfo {
  const summary = (row.summary as SessionSummary | null) ?? createSessionSummary();
  return sessionInfoOf(row, summary, { runtime: notLoaded, queuedTurns: 0, isBusy: false });
}

function placeOf(cursor: string): { createdAt: number; sessionId: string } {
  const { createdAt, id } = decodeCursor(cursor);
  return { createdAt, sessionId: id };
}
