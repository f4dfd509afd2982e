import { ErrorBoundary } from "../controls/error-boundary.tsx";
import type { Entry } from "./entry.ts";
import { ErrorRow } from "./error-row.tsx";
import { MessageItem } from "./message-item.tsx";
import { StatusLines } from "./status-lines.tsx";
import { ToolGroup } from "./tool-group.tsx";
import "./entries.css";

export function EntryView({ entry }: { entry: Entry }) {
  if (entry.type === "message") return <MessageItem item={entry.item} />;
  if (entry.type === "error") return <ErrorRow error={entry.error} />;
  if (entry.type === "status") return <StatusLines items={entry.items} />;
  return <ToolGroup uses={entry.uses} />;
}

/** Entries below each other, inside another one. */
export function Entries({ entries }: { entries: readonly Entry[] }) {
  return (
    <div className="entries">
      {entries.map((entry) => (
        <ErrorBoundary key={entry.key} what="This part" resetOn={entry}>
          <EntryView entry={entry} />
        </ErrorBoundary>
      ))}
    </div>
  );
}
