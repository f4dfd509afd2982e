import type { QueuedMessage } from "@sandbox-agent-ts/react";
import "./queued-messages.css";

export function QueuedMessages({ queued }: { queued: readonly QueuedMessage[] }) {
  if (queued.length === 0) return null;
  return (
    <ol className="queued" aria-label="Queued messages">
      {queued.map(({ messageId, turnId, message }) => (
        <li key={messageId}>
          <span className="queued-word">{turnId === undefined ? "Sending" : "Queued"}</span>
          <span className="truncate">{message}</span>
        </li>
      ))}
    </ol>
  );
}
