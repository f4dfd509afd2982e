import type { TranscriptTurn } from "@sandbox-agent-ts/protocol";
import { memo, useEffect, useState } from "react";
import { Notice } from "../controls/notice.tsx";
import { describeUsage, formatCost, formatUsage } from "../format/numbers.ts";
import { formatDuration } from "../format/times.ts";
import "./turn-row.css";

interface TurnRowProps {
  readonly turn: TranscriptTurn;
  /** It goes on when a person has answered. */
  readonly isWaiting: boolean;
  /** An error above has said why already. */
  readonly isExplained: boolean;
  /** It runs now, so there is a clock to show. */
  readonly isLive: boolean;
}

/** The end of a turn: how it ended, how long it took, what it used. While it runs, how long it has been running. */
export const TurnRow = memo(function TurnRow({ turn, isWaiting, isExplained, isLive }: TurnRowProps) {
  const { status, message, usage, cost, startedAt, endedAt } = turn;
  const facts = [
    status === "interrupted" ? "Stopped" : undefined,
    status === "error" ? "Failed" : undefined,
    endedAt === null ? undefined : formatDuration(Date.parse(endedAt) - Date.parse(startedAt)),
    cost ? formatCost(cost) : undefined,
  ].filter((fact) => fact !== undefined);
  return (
    <div className="turn-row">
      {status === "error" && message && !isExplained && <Notice title={message} />}
      {isWaiting && <p className="turn-facts turn-waiting">Waiting for you</p>}
      {endedAt === null && !isWaiting && <Running since={isLive ? startedAt : undefined} />}
      {endedAt !== null && (
        <p className={`turn-facts turn-${status}`}>
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          {usage && <span title={describeUsage(usage)}>{formatUsage(usage)}</span>}
        </p>
      )}
    </div>
  );
});

const TICK_MS = 1_000;

function Running({ since }: { since: string | undefined }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = since === undefined ? 0 : Math.floor((now - Date.parse(since)) / TICK_MS);
  return (
    <p className="turn-facts turn-running">
      <span className="turn-dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span>Working{seconds > 2 ? ` · ${seconds < 60 ? `${seconds} s` : formatDuration(seconds * TICK_MS)}` : ""}</span>
    </p>
  );
}
