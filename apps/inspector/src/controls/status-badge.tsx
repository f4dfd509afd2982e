import type { SessionStatus } from "@sandbox-agent-ts/protocol";
import "./status-badge.css";

const words: Readonly<Record<SessionStatus, string>> = {
  idle: "Idle",
  running: "Running",
  waiting: "Waiting for you",
  ended: "Ended",
};

export function StatusBadge({ status }: { status: SessionStatus }) {
  return (
    <span className={`status-badge status-${status}`}>
      <StatusDot status={status} />
      {words[status]}
    </span>
  );
}

/** For rows, where a name beside it says the rest to those who cannot see it. */
export function StatusDot({ status, isNamed = false }: { status: SessionStatus; isNamed?: boolean }) {
  return (
    <span className={`status-dot status-${status}`} title={words[status]}>
      {isNamed && <span className="visually-hidden">{words[status]}</span>}
    </span>
  );
}
