import { useState } from "react";
import { Button } from "../controls/button.tsx";
import { Dialog } from "../controls/dialog.tsx";
import { Field } from "../controls/field.tsx";
import { useAction } from "../controls/use-action.ts";

const LONGEST_TITLE = 500;

interface RenameDialogProps {
  readonly title: string;
  readonly onRename: (title: string) => Promise<void>;
  readonly onClose: () => void;
}

export function RenameDialog({ title: before, onRename, onClose }: RenameDialogProps) {
  const [title, setTitle] = useState(before);
  const { run, isBusy, error } = useAction();
  const submit = () =>
    run(async () => {
      await onRename(title.trim());
      onClose();
    });
  return (
    <Dialog
      title="Rename session"
      size="s"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={isBusy}>
            Rename
          </Button>
        </>
      }
    >
      <Field label="Title" error={error}>
        {(ids) => (
          <input
            {...ids}
            className="input"
            autoFocus
            maxLength={LONGEST_TITLE}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
