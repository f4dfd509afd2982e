import { useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { useAction } from "./use-action.ts";

interface NameDialogProps {
  readonly title: string;
  /** What the field is called. */
  readonly label: string;
  /** What the button does. */
  readonly verb: string;
  /** The name so far. */
  readonly name?: string;
  readonly maxLength?: number;
  readonly isCode?: boolean;
  readonly onName: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for a name, for something new or something that has one. */
export function NameDialog({ title, label, verb, name: before = "", isCode, ...props }: NameDialogProps) {
  const { maxLength, onName, onClose } = props;
  const [name, setName] = useState(before);
  const { run, isBusy, error } = useAction();
  const submit = () =>
    run(async () => {
      if (name.trim() === "") throw new Error("Give it a name.");
      await onName(name.trim());
      onClose();
    });
  return (
    <Dialog
      title={title}
      size="s"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={isBusy}>
            {verb}
          </Button>
        </>
      }
    >
      <Field label={label} error={error}>
        {(ids) => (
          <input
            {...ids}
            className={isCode ? "input input-code" : "input"}
            autoFocus
            spellCheck={!isCode}
            maxLength={maxLength}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
