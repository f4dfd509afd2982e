import type { AgentMode, AgentModelsResponse, PermissionMode } from "@sandbox-agent-ts/protocol";
import { useId } from "react";
import { Field } from "../controls/field.tsx";
import type { SessionForm } from "./session-form.ts";

interface ModeFieldsProps {
  readonly form: SessionForm;
  readonly options: {
    readonly modes: readonly AgentMode[];
    readonly models: AgentModelsResponse;
    readonly isLoading: boolean;
    readonly error: string | undefined;
  };
  readonly onChange: (fields: Partial<SessionForm>) => void;
}

const permissionModes: readonly { id: PermissionMode; name: string; hint: string }[] = [
  { id: "default", name: "Ask", hint: "Asks before it runs commands or changes files." },
  { id: "acceptEdits", name: "Accept edits", hint: "Changes files without asking, asks for the rest." },
  { id: "plan", name: "Plan, read only", hint: "Looks and plans; you approve the plan first." },
  { id: "bypass", name: "Bypass", hint: "Never asks. Only where nothing can be harmed." },
];

/** What the agent does, what it may do, with which model, and where. */
export function ModeFields({ form, options: { modes, models, isLoading, error }, onChange }: ModeFieldsProps) {
  const listId = useId();
  const mode = modes.find(({ id }) => id === (form.agentMode || "build"));
  const model = models.models.find(({ id }) => id === (form.model || models.defaultModel));
  const variants = model?.variants ?? [];
  return (
    <div className="form-grid">
      <Field label="Mode" hint={error ?? mode?.description ?? (isLoading ? "Loading …" : "The agent's own default.")}>
        {(ids) => (
          <select
            {...ids}
            className="input"
            value={form.agentMode}
            onChange={(event) => onChange({ agentMode: event.target.value })}
          >
            <option value="">Default</option>
            {modes.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Permissions" hint={permissionModes.find(({ id }) => id === form.permissionMode)?.hint}>
        {(ids) => (
          <select
            {...ids}
            className="input"
            value={form.permissionMode}
            onChange={(event) => onChange({ permissionMode: event.target.value as PermissionMode })}
          >
            {permissionModes.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Model">
        {(ids) => (
          <>
            <input
              {...ids}
              className="input"
              list={listId}
              placeholder={models.defaultModel ?? "Default"}
              spellCheck={false}
              value={form.model}
              onChange={(event) => onChange({ model: event.target.value, variant: "" })}
            />
            <datalist id={listId}>
              {models.models.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field label="Variant">
        {(ids) => (
          <select
            {...ids}
            className="input"
            disabled={variants.length === 0}
            value={form.variant}
            onChange={(event) => onChange({ variant: event.target.value })}
          >
            <option value="">{model?.defaultVariant ? `Default (${model.defaultVariant})` : "Default"}</option>
            {variants.map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Directory">
        {(ids) => (
          <input
            {...ids}
            className="input input-code"
            placeholder="Where the agent starts"
            spellCheck={false}
            value={form.directory}
            onChange={(event) => onChange({ directory: event.target.value })}
          />
        )}
      </Field>
      <Field label="Title">
        {(ids) => (
          <input
            {...ids}
            className="input"
            placeholder="From the first message"
            value={form.title}
            onChange={(event) => onChange({ title: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}
