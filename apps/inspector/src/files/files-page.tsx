import type { FsEntry } from "@sandbox-agent-ts/protocol";
import { useSandboxAgent, useSession } from "@sandbox-agent-ts/react";
import { useRef, useState } from "react";
import { Button, IconButton } from "../controls/button.tsx";
import { NameDialog } from "../controls/name-dialog.tsx";
import { Notice } from "../controls/notice.tsx";
import { useAction } from "../controls/use-action.ts";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { FileList } from "./file-list.tsx";
import { FilePane } from "./file-pane.tsx";
import { joinPath } from "./path.ts";
import { useDirectory } from "./use-directory.ts";
import "./files-page.css";

/** The session's directory. Paths are relative to it. */
export function FilesPage({ sessionId }: { sessionId: string }) {
  const client = useSandboxAgent();
  const { session } = useSession(sessionId);
  const [path, setPath] = useState("");
  const [selected, setSelected] = useState<FsEntry>();
  const [dialog, setDialog] = useState<"folder" | "file" | null>(null);
  const { entries, isLoading, error, refresh } = useDirectory(sessionId, path);
  const action = useAction();
  const upload = useRef<HTMLInputElement>(null);

  const go = (target: string) => {
    setPath(target);
    setSelected(undefined);
  };

  const change = (work: () => Promise<unknown>) =>
    action.run(async () => {
      await work();
      await refresh();
    });

  const put = (files: readonly File[]) =>
    change(async () => {
      for (const file of files) await client.writeFsFile({ path: joinPath(path, file.name), sessionId }, file);
    });

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped here; the button does the same
    <div
      className={selected ? "files-page files-page-open" : "files-page"}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        put([...event.dataTransfer.files]);
      }}
    >
      <section className="files-left" aria-label="Directory">
        <div className="files-bar">
          <Breadcrumbs root={session?.directory?.split("/").at(-1) || "Directory"} path={path} onGo={go} />
          <IconButton icon="folder" label="New folder" onClick={() => setDialog("folder")} />
          <IconButton icon="file" label="New file" onClick={() => setDialog("file")} />
          <Button icon="upload" busy={action.isBusy} onClick={() => upload.current?.click()}>
            Upload
          </Button>
          <input
            ref={upload}
            type="file"
            multiple
            className="visually-hidden"
            tabIndex={-1}
            aria-label="Files to upload"
            onChange={(event) => {
              put([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
        </div>
        {(error ?? action.error) && <Notice title={error ?? action.error} role="alert" />}
        <FileList
          entries={entries}
          selected={selected?.path}
          isLoading={isLoading}
          onOpen={(entry) => (entry.entryType === "directory" ? go(joinPath(path, entry.name)) : setSelected(entry))}
          onDelete={(entry) =>
            change(async () => {
              await client.deleteFsEntry({ path: joinPath(path, entry.name), sessionId, recursive: true });
              if (entry.path === selected?.path) setSelected(undefined);
            })
          }
        />
      </section>
      <section className="files-right" aria-label="File">
        {selected ? (
          <FilePane
            key={selected.path}
            entry={selected}
            path={joinPath(path, selected.name)}
            sessionId={sessionId}
            onClose={() => setSelected(undefined)}
            onSaved={refresh}
          />
        ) : (
          <p className="files-hint">Choose a file to look at it. Drop files here to upload them.</p>
        )}
      </section>
      {dialog && (
        <NameDialog
          title={`New ${dialog}`}
          label="Name"
          verb="Create"
          isCode
          onClose={() => setDialog(null)}
          onName={async (name) => {
            if (entries.some((entry) => entry.name === name))
              throw new Error("There is something of this name already.");
            const target = { path: joinPath(path, name), sessionId };
            await (dialog === "folder" ? client.mkdirFs(target) : client.writeFsFile(target, ""));
            await refresh();
          }}
        />
      )}
    </div>
  );
}
