import { Field } from "../controls/field.tsx";
import type { FormErrors, SessionForm } from "./session-form.ts";

interface AdvancedFieldsProps {
  readonly form: SessionForm;
  readonly errors: FormErrors;
  readonly onChange: (fields: Partial<SessionForm>) => void;
}

const mcpExample = '{ "files": { "type": "local", "command": "mcp-files", "args": ["."] } }';

interface LongField {
  readonly name: "mcp" | "skills" | "env" | "systemPrompt";
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  readonly rows: number;
}

const longFields: readonly LongField[] = [
  { name: "mcp", label: "MCP servers", hint: "JSON: names and their settings.", placeholder: mcpExample, rows: 3 },
  {
    name: "skills",
    label: "Skills",
    hint: "One source a line: a directory, a Git address, or owner/name. Or the JSON of the API.",
    placeholder: "./skills",
    rows: 2,
  },
  {
    name: "env",
    label: "Environment",
    hint: "NAME=value, one a line. For this session alone.",
    placeholder: "API_KEY=…",
    rows: 2,
  },
  { name: "systemPrompt", label: "Instructions", hint: "Added to the agent's own.", placeholder: "", rows: 2 },
];

export function AdvancedFields({ form, errors, onChange }: AdvancedFieldsProps) {
  return (
    <div className="form-grid">
      {longFields.map(({ name, label, hint, placeholder, rows }) => (
        <div className="form-wide" key={name}>
          <Field label={label} hint={hint} error={errors[name]}>
            {(ids) => (
              <textarea
                {...ids}
                className={name === "systemPrompt" ? "input" : "input input-code"}
                rows={rows}
                placeholder={placeholder}
                spellCheck={false}
                value={form[name]}
                onChange={(event) => onChange({ [name]: event.target.value })}
              />
            )}
          </Field>
        </div>
      ))}
      <Field label="Agent version">
        {(ids) => (
          <input
            {...ids}
            className="input input-code"
            placeholder="The one this daemon was tested with"
            value={form.agentVersion}
            onChange={(event) => onChange({ agentVersion: event.target.value })}
          />
        )}
      </Field>
      <Field label="Session id">
        {(ids) => (
          <input
            {...ids}
            className="input input-code"
            placeholder="Made up"
            spellCheck={false}
            value={form.sessionId}
            onChange={(event) => onChange({ sessionId: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}
