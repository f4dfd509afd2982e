import type { FsEntry } from "@sandbox-agent-ts/protocol";
import { useState } from "react";
import { Button, IconButton } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { formatBytes } from "../format/numbers.ts";
import "./file-list.css";

interface FileListProps {
  readonly entries: readonly FsEntry[];
  readonly selected: string | undefined;
  readonly isLoading: boolean;
  readonly onOpen: (entry: FsEntry) => void;
  readonly onDelete: (entry: FsEntry) => void;
}

export function FileList({ entries, selected, isLoading, onOpen, onDelete }: FileListProps) {
  if (entries.length === 0) return <p className="files-hint">{isLoading ? "Reading …" : "This directory is empty."}</p>;
  return (
    <ul className="file-list">
      {entries.map((entry) => (
        <FileRow
          key={entry.path}
          entry={entry}
          isSelected={entry.path === selected}
          onOpen={onOpen}
          onDelete={onDelete}
        />
      ))}
    </ul>
  );
}

interface FileRowProps {
  readonly entry: FsEntry;
  readonly isSelected: boolean;
  readonly onOpen: (entry: FsEntry) => void;
  readonly onDelete: (entry: FsEntry) => void;
}

/** Deleting asks in the row itself: a second press where the first one was. */
function FileRow({ entry, isSelected, onOpen, onDelete }: FileRowProps) {
  const [isAsking, setAsking] = useState(false);
  const isFolder = entry.entryType === "directory";
  return (
    <li className="file-row">
      <button
        type="button"
        className="file-open"
        aria-current={isSelected ? "true" : undefined}
        onClick={() => onOpen(entry)}
      >
        <span className={isFolder ? "file-icon file-icon-folder" : "file-icon"}>
          <Icon name={isFolder ? "folder" : "file"} size={15} />
        </span>
        <span className="truncate">{entry.name}</span>
        <span className="file-size">{isFolder ? "" : formatBytes(entry.size)}</span>
      </button>
      {isAsking ? (
        <>
          <Button look="danger" onClick={() => onDelete(entry)} aria-label={`Really delete ${entry.name}`}>
            Delete
          </Button>
          <IconButton icon="cross" label="Keep it" onClick={() => setAsking(false)} />
        </>
      ) : (
        <IconButton icon="trash" label={`Delete ${entry.name}`} onClick={() => setAsking(true)} />
      )}
    </li>
  );
}
