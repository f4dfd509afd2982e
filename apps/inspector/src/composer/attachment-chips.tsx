import { Icon } from "../controls/icon.tsx";
import type { PendingAttachment } from "./use-attachments.ts";
import "./attachment-chips.css";

interface AttachmentChipsProps {
  readonly pending: readonly PendingAttachment[];
  readonly onRemove: (id: string) => void;
}

export function AttachmentChips({ pending, onRemove }: AttachmentChipsProps) {
  if (pending.length === 0) return null;
  return (
    <ul className="attachment-chips" aria-label="Attachments">
      {pending.map(({ id, name, state, error }) => (
        <li key={id} className={error ? "attachment-chip attachment-failed" : "attachment-chip"} title={error ?? name}>
          {state === "uploading" ? <span className="spinner" /> : <Icon name={error ? "warn" : "file"} size={14} />}
          <span className="truncate">{error ? `${name}: ${error}` : name}</span>
          <button type="button" aria-label={`Remove ${name}`} onClick={() => onRemove(id)}>
            <Icon name="cross" size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}
