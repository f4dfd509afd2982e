import { type ReactNode, useId } from "react";
import "./field.css";

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: (ids: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": boolean;
  }) => ReactNode;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const hasHint = hint !== undefined || error !== undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": hasHint ? hintId : undefined, "aria-invalid": error !== undefined })}
      {hasHint && (
        <p className={error === undefined ? "field-hint" : "field-error"} id={hintId}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
