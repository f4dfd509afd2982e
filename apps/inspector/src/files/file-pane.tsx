import type { FsEntry } from "@sandbox-agent-ts/protocol";
import { useSandboxAgent } from "@sandbox-agent-ts/react";
import { useEffect, useState } from "react";
import { Button, IconButton } from "../controls/button.tsx";
import { messageOf, useAction } from "../controls/use-action.ts";
import { SandboxImage } from "../conversation/sandbox-image.tsx";
import { Highlighted } from "../markdown/highlighted.tsx";
import { contentOf, type FileContent, isPicture, languageOf, MAX_SHOWN_BYTES } from "./file-content.ts";
import "./file-pane.css";

interface FilePaneProps {
  readonly entry: FsEntry;
  readonly path: string;
  readonly sessionId: string;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

/** One file: looked at, changed, taken along. */
export function FilePane({ entry, path, sessionId, onClose, onSaved }: FilePaneProps) {
  const client = useSandboxAgent();
  const { content, error, setContent } = useFile(entry, path, sessionId);
  const [draft, setDraft] = useState<string>();
  const action = useAction();
  const isDirty = draft !== undefined && content?.type === "text" && draft !== content.text;

  const save = () =>
    action.run(async () => {
      if (draft === undefined) return;
      await client.writeFsFile({ path, sessionId }, draft);
      setContent({ type: "text", text: draft });
      setDraft(undefined);
      await onSaved();
    });

  const download = () =>
    action.run(async () => {
      const bytes = await client.readFsFile({ path, sessionId });
      offerDownload(entry.name, bytes);
    });

  return (
    <>
      <div className="files-bar file-pane-bar">
        <h2 className="truncate" title={path}>
          {entry.name}
        </h2>
        {draft === undefined ? (
          <Button
            icon="edit"
            disabled={content?.type !== "text"}
            onClick={() => content?.type === "text" && setDraft(content.text)}
          >
            Edit
          </Button>
        ) : (
          <>
            <Button look="quiet" onClick={() => setDraft(undefined)}>
              Cancel
            </Button>
            <Button look="primary" disabled={!isDirty} busy={action.isBusy} onClick={save}>
              Save
            </Button>
          </>
        )}
        <IconButton icon="download" label={`Download ${entry.name}`} onClick={download} />
        <IconButton icon="cross" label="Close file" onClick={onClose} />
      </div>
      {(error ?? action.error) && (
        <p className="file-pane-error" role="alert">
          {error ?? action.error}
        </p>
      )}
      {draft === undefined ? (
        <FileView entry={entry} path={path} content={content} />
      ) : (
        <textarea
          className="file-editor"
          aria-label={`Content of ${entry.name}`}
          spellCheck={false}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
      )}
    </>
  );
}

function useFile(entry: FsEntry, path: string, sessionId: string) {
  const client = useSandboxAgent();
  const [content, setContent] = useState<FileContent>();
  const [error, setError] = useState<string>();
  const { size } = entry;
  useEffect(() => {
    if (size > MAX_SHOWN_BYTES) {
      setContent({ type: "large" });
      return undefined;
    }
    let isCurrent = true;
    client.readFsFile({ path, sessionId }).then(
      (bytes) => isCurrent && setContent(contentOf(bytes)),
      (failure: unknown) => isCurrent && setError(messageOf(failure)),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, path, sessionId, size]);
  return { content, error, setContent };
}

function FileView({ entry, path, content }: { entry: FsEntry; path: string; content: FileContent | undefined }) {
  if (isPicture(entry.name)) {
    return (
      <div className="file-picture">
        <SandboxImage path={path} version={entry.modified ?? undefined} />
      </div>
    );
  }
  if (content?.type === "text") {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      <pre className="file-text" tabIndex={0}>
        <Highlighted code={content.text} language={languageOf(entry.name)} />
      </pre>
    );
  }
  if (content === undefined) return null;
  return (
    <p className="files-hint">
      {content.type === "large" ? "This file is too large to be shown." : "This file is not text."} You can download it.
    </p>
  );
}

function offerDownload(name: string, bytes: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
