import { useState } from "react";
import { Button } from "../controls/button.tsx";
import { Dialog } from "../controls/dialog.tsx";
import { Field } from "../controls/field.tsx";
import { useAction } from "../controls/use-action.ts";

interface NameDialogProps {
  readonly what: "folder" | "file";
  readonly onCreate: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

export function NameDialog({ what, onCreate, onClose }: NameDialogProps) {
  const [name, setName] = useState("");
  const { run, isBusy, error } = useAction();
  const submit = () =>
    run(async () => {
      if (name.trim() === "") throw new Error("Give it a name.");
      await onCreate(name.trim());
      onClose();
    });
  return (
    <Dialog
      title={`New ${what}`}
      size="s"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={isBusy}>
            Create
          </Button>
        </>
      }
    >
      <Field label="Name" error={error}>
        {(ids) => (
          <input
            {...ids}
            className="input input-code"
            autoFocus
            spellCheck={false}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
