import { Button } from "../controls/button.tsx";
import { Dialog } from "../controls/dialog.tsx";
import { Notice } from "../controls/notice.tsx";
import { useAction } from "../controls/use-action.ts";
import { navigate } from "../route/use-route.ts";

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly verb: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

function ConfirmDialog({ title, text, verb, onConfirm, onClose }: ConfirmProps) {
  const { run, isBusy, error } = useAction();
  return (
    <Dialog
      title={title}
      size="s"
      onClose={onClose}
      onSubmit={() => run(onConfirm)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" type="submit" busy={isBusy}>
            {verb}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {error && <Notice title={error} role="alert" />}
    </Dialog>
  );
}

export function EndSessionDialog({ onEnd, onClose }: { onEnd: () => Promise<void>; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="End this session?"
      text="Its agent is stopped, with everything it runs. The conversation stays readable, but takes no more messages."
      verb="End session"
      onClose={onClose}
      onConfirm={async () => {
        await onEnd();
        onClose();
      }}
    />
  );
}

export function DeleteSessionDialog({ onDelete, onClose }: { onDelete: () => Promise<void>; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Delete this session?"
      text="Its agent is stopped and its log is deleted for good. Files in its directory stay."
      verb="Delete"
      onClose={onClose}
      onConfirm={async () => {
        await onDelete();
        navigate({ page: "home" });
      }}
    />
  );
}
