import { memo, type ReactNode, useState } from "react";
import { ErrorBoundary } from "../controls/error-boundary.tsx";
import type { ToolUse } from "./entry.ts";
import { ToolUseLine } from "./tool-use.tsx";
import "./tool-group.css";

/** Of a longer group the first and the last stay in sight. */
const LONGEST_WHOLE = 8;
const KEPT_AT_START = 2;
const KEPT_AT_END = 4;

/** What an agent did between two messages. */
export const ToolGroup = memo(function ToolGroup({ uses }: { uses: readonly ToolUse[] }) {
  const [isWhole, setWhole] = useState(false);
  const isFolded = !isWhole && uses.length > LONGEST_WHOLE;
  const start = isFolded ? uses.slice(0, KEPT_AT_START) : uses;
  const end = isFolded ? uses.slice(-KEPT_AT_END) : [];
  const hidden = uses.length - start.length - end.length;
  return (
    <section className="tool-group" aria-label={uses.length === 1 ? "Tool call" : `${uses.length} tool calls`}>
      {start.map(lineOf)}
      {isFolded && (
        <button type="button" className="tool-group-more" onClick={() => setWhole(true)}>
          Show {hidden} more tool calls
        </button>
      )}
      {end.map(lineOf)}
    </section>
  );
});

function lineOf(use: ToolUse): ReactNode {
  return (
    <ErrorBoundary key={use.key} what="This tool call" resetOn={use}>
      <ToolUseLine use={use} />
    </ErrorBoundary>
  );
}
