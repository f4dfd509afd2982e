import { type UseSession, useSendMessage } from "@sandbox-agent-ts/react";
import { type KeyboardEvent, useRef, useState } from "react";
import { IconButton } from "../controls/button.tsx";
import { useAction } from "../controls/use-action.ts";
import { filesOf } from "./attachment.ts";
import { AttachmentChips } from "./attachment-chips.tsx";
import { QueuedMessages } from "./queued-messages.tsx";
import { useAttachments } from "./use-attachments.ts";
import { useDraft } from "./use-draft.ts";
import "./composer.css";

const MOST_ROWS = 12;

interface ComposerProps {
  readonly sessionId: string;
  readonly session: UseSession;
  readonly onSend: () => void;
}

export function Composer({ sessionId, session, onSend }: ComposerProps) {
  const { send, isSending, error, queued } = useSendMessage(sessionId);
  const { text, setText, sending } = useDraft(sessionId);
  const { pending, add, remove, clear } = useAttachments(sessionId);
  const [isPreparing, setPreparing] = useState(false);
  const stopping = useAction();
  const fileInput = useRef<HTMLInputElement>(null);
  const isBusy = session.status === "running" || session.status === "waiting";
  const hasFailed = pending.some(({ state }) => state === "failed");
  const canSend = (text.trim() !== "" || pending.length > 0) && !hasFailed && !isSending && !isPreparing;

  /** Files may still be on their way; the message leaves when they have arrived. */
  const submit = async () => {
    if (!canSend) return;
    setPreparing(true);
    const arrived = await Promise.all(pending.map(({ arrival }) => arrival));
    setPreparing(false);
    const attachments = arrived.filter((attachment) => attachment !== undefined);
    if (attachments.length < pending.length) return;
    clear();
    onSend();
    await sending(() => send(text, attachments));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void submit();
  };

  if (session.status === "ended")
    return <p className="composer-over">This session has ended and takes no more messages.</p>;
  return (
    <div className="composer">
      <QueuedMessages queued={queued} />
      <form
        className="composer-box"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          add(filesOf(event.dataTransfer));
        }}
      >
        <AttachmentChips pending={pending} onRemove={remove} />
        <textarea
          id="composer-input"
          aria-label="Message"
          placeholder={isBusy ? "Write the next message; it waits its turn" : "Message the agent"}
          rows={Math.min(MOST_ROWS, text.split("\n").length)}
          readOnly={isPreparing}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const files = filesOf(event.clipboardData);
            if (files.length === 0) return;
            event.preventDefault();
            add(files);
          }}
        />
        <div className="composer-bar">
          <IconButton icon="clip" label="Attach files" onClick={() => fileInput.current?.click()} />
          <input
            ref={fileInput}
            className="visually-hidden"
            type="file"
            multiple
            tabIndex={-1}
            aria-label="Files to attach"
            onChange={(event) => {
              add([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
          <p className="composer-hint">
            <kbd>Enter</kbd> {isBusy ? "queues" : "sends"}, <kbd>Shift</kbd> <kbd>Enter</kbd> for a new line
          </p>
          {isBusy && (
            <button
              type="button"
              className="composer-stop"
              disabled={stopping.isBusy}
              onClick={() => stopping.run(session.interrupt)}
            >
              <span className="composer-stop-mark" aria-hidden="true" /> Stop
            </button>
          )}
          <button
            type="submit"
            className="composer-send"
            disabled={!canSend}
            aria-label={isBusy ? "Queue message" : "Send message"}
          >
            <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" className="icon">
              <path d="M8 13V3.5M4 7.2L8 3.2l4 4" />
            </svg>
          </button>
        </div>
      </form>
      {(error ?? stopping.error) && (
        <p className="composer-error" role="alert">
          {error?.message ?? stopping.error}
        </p>
      )}
    </div>
  );
}
