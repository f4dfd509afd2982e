import type { Transcript } from "@sandbox-agent-ts/protocol";
import { memo, type ReactNode, useEffect, useRef, useState } from "react";
import { Virtualizer } from "virtua";
import { ErrorBoundary } from "../controls/error-boundary.tsx";
import { Icon } from "../controls/icon.tsx";
import { OpenMemoryProvider } from "../controls/open-memory.ts";
import { EntryView } from "./entries.tsx";
import { EndedRow } from "./error-row.tsx";
import { type Row, rowsOf } from "./rows.ts";
import { TurnRow } from "./turn-row.tsx";
import { useStickToEnd } from "./use-stick-to-end.ts";
import "./conversation.css";

interface ConversationProps {
  readonly transcript: Transcript;
  /** Shown while nothing has been said. */
  readonly empty?: ReactNode;
  /** Not what was: a turn that runs in it runs now. */
  readonly isLive?: boolean;
  /** How many messages the reader has sent: who sends one wants to see what comes of it. */
  readonly sentCount?: number;
}

/** The whole conversation; only what is in sight is on the page. */
export function Conversation({ transcript, empty, isLive = true, sentCount = 0 }: ConversationProps) {
  const rows = useRows(transcript);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [opened] = useState(() => new Map<string, boolean>());
  const { isAway, goToEnd, letGo } = useStickToEnd(scroller, content);
  useEffect(() => {
    if (sentCount > 0) goToEnd();
  }, [sentCount, goToEnd]);
  return (
    <OpenMemoryProvider value={opened}>
      <div className="conversation">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section className="conversation-scroller" ref={scroller} tabIndex={0} aria-label="Conversation">
          {/* biome-ignore lint/a11y: opening something must not move it */}
          <div ref={content} className="conversation-content" onClick={(event) => isOpener(event.target) && letGo()}>
            {rows.length === 0 ? (
              empty
            ) : (
              <Virtualizer data={rows} scrollRef={scroller} bufferSize={600}>
                {(row) => <RowView key={row.key} row={row} isLive={isLive} />}
              </Virtualizer>
            )}
          </div>
        </section>
        {isAway && (
          <button type="button" className="conversation-end" onClick={goToEnd}>
            <Icon name="down" size={14} /> Newest
          </button>
        )}
      </div>
    </OpenMemoryProvider>
  );
}

function useRows(transcript: Transcript): readonly Row[] {
  const rows = useRef<readonly Row[]>([]);
  rows.current = rowsOf(transcript, rows.current);
  return rows.current;
}

function isOpener(target: EventTarget): boolean {
  return (
    target instanceof Element && target.closest("[aria-expanded], .diff-more, .output-more, .tool-group-more") !== null
  );
}

interface RowViewProps {
  readonly row: Row;
  readonly isLive: boolean;
}

const RowView = memo(function RowView(props: RowViewProps) {
  const { row } = props;
  return (
    <div className={`row row-${row.type} ${row.type === "message" ? `row-${row.item.role}` : ""}`}>
      <div className="row-inner">
        <ErrorBoundary what="This part of the conversation" resetOn={row}>
          <RowContent {...props} />
        </ErrorBoundary>
      </div>
    </div>
  );
});

function RowContent({ row, isLive }: RowViewProps) {
  switch (row.type) {
    case "turn":
      return <TurnRow turn={row.turn} isWaiting={row.isWaiting} isExplained={row.isExplained} isLive={isLive} />;
    case "ended":
      return <EndedRow ended={row.ended} />;
    default:
      return <EntryView entry={row} />;
  }
}
