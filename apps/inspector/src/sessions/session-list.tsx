import type { SessionInfo } from "@sandbox-agent-ts/protocol";
import { useSessions } from "@sandbox-agent-ts/react";
import { SandboxAgentError } from "@sandbox-agent-ts/sdk";
import { useMemo, useState } from "react";
import { VList } from "virtua";
import { useAgentName } from "../agents/use-agent-name.ts";
import { Icon } from "../controls/icon.tsx";
import { matchesSearch } from "./session-name.ts";
import { SessionRow } from "./session-row.tsx";
import { useNow } from "./use-now.ts";
import "./session-list.css";

export function SessionList({ selected }: { selected: string | undefined }) {
  const { sessions, isLoading, error } = useSessions();
  const [search, setSearch] = useState("");
  const now = useNow();
  const nameOfAgent = useAgentName();
  const shown = useMemo(() => sortSessions(sessions.filter((it) => matchesSearch(it, search))), [sessions, search]);
  return (
    <nav className="session-list" aria-label="Sessions">
      <div className="session-search">
        <Icon name="search" size={14} />
        <input
          id="session-search"
          type="search"
          aria-label="Search sessions"
          placeholder="Search sessions"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      {error && (
        <p className="session-list-note" role="status">
          {isRefusal(error) ? "The daemon refuses the token." : "The daemon does not answer. Trying again …"}
        </p>
      )}
      {shown.length === 0 && !isLoading && (
        <p className="session-list-note">{search === "" ? "No sessions yet." : "No session matches."}</p>
      )}
      {shown.length > 0 && (
        <VList className="session-rows" data={shown} tabIndex={-1}>
          {(session) => (
            <SessionRow
              key={session.sessionId}
              session={session}
              isSelected={session.sessionId === selected}
              agent={nameOfAgent(session.agent)}
              now={now}
            />
          )}
        </VList>
      )}
    </nav>
  );
}

function isRefusal(error: Error): boolean {
  return error instanceof SandboxAgentError && error.status === 401;
}

/** Who waits for a person comes first; the rest as it was last touched. */
function sortSessions(sessions: readonly SessionInfo[]): SessionInfo[] {
  const rank = ({ status }: SessionInfo): number => (status === "waiting" ? 0 : 1);
  return sessions.toSorted((a, b) => rank(a) - rank(b) || b.updatedAt - a.updatedAt);
}
