import type { SessionInfo } from "@sandbox-agent-ts/protocol";
import { memo } from "react";
import { StatusDot } from "../controls/status-badge.tsx";
import { formatCounted } from "../format/numbers.ts";
import { formatAge } from "../format/times.ts";
import { formatRoute } from "../route/route.ts";
import { sessionName } from "./session-name.ts";

interface SessionRowProps {
  readonly session: SessionInfo;
  /** What people call it. */
  readonly agent: string;
  readonly isSelected: boolean;
  readonly now: number;
}

export const SessionRow = memo(function SessionRow({ session, agent, isSelected, now }: SessionRowProps) {
  const { sessionId, status, eventCount, updatedAt } = session;
  const isWaiting = status === "waiting";
  return (
    <a
      className={isWaiting ? "session-row session-row-waiting" : "session-row"}
      href={formatRoute({ page: "session", sessionId, tab: "conversation" })}
      aria-current={isSelected ? "page" : undefined}
    >
      <StatusDot status={status} isNamed />
      <span className="session-row-name truncate">{sessionName(session)}</span>
      <span className="session-row-age">{formatAge(updatedAt, now)}</span>
      <span className="session-row-facts truncate">
        {session.problem ? <b>Cannot go on</b> : isWaiting ? <b>Waiting for you</b> : agent} ·{" "}
        {formatCounted(eventCount, "event")}
      </span>
    </a>
  );
});
