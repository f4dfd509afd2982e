import type { Question } from "@sandbox-agent-ts/protocol";
import { useId } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { type Choice, toggleLabel, writeOther } from "./answers.ts";
import "./question-field.css";

interface QuestionFieldProps {
  readonly question: Question;
  readonly choice: Choice;
  readonly isFirst: boolean;
  readonly hasHeader: boolean;
  readonly onChange: (choice: Choice) => void;
}

/** One question: its labels, one or several of which may be chosen, and room for other words. */
export function QuestionField({ question, choice, isFirst, hasHeader, onChange }: QuestionFieldProps) {
  const { header, prompt, options, multi_select } = question;
  const name = useId();
  const heading = [hasHeader && header, multi_select && "choose any number"].filter(Boolean).join(", ");
  const hasOptions = options.length > 0;
  const focusTarget = isFirst ? { "data-request": true } : {};
  return (
    <fieldset className="question-field">
      <legend>
        {heading !== "" && <span className="question-header">{heading}</span>}
        <div className="question-prompt">
          <Markdown text={prompt} />
        </div>
      </legend>
      {options.map(({ label, description }, at) => (
        <label key={label} className="question-option">
          <input
            type={multi_select ? "checkbox" : "radio"}
            name={name}
            checked={choice.labels.includes(label)}
            onChange={() => onChange(toggleLabel(choice, label, question))}
            {...(at === 0 ? focusTarget : {})}
          />
          <span>
            <b>{label}</b>
            {description && <span>{description}</span>}
          </span>
        </label>
      ))}
      <input
        className="input question-other"
        aria-label={hasOptions ? "Something else" : "Your answer"}
        placeholder={hasOptions ? "Something else …" : "Your answer"}
        value={choice.other}
        onChange={(event) => onChange(writeOther(choice, event.target.value, question))}
        {...(hasOptions ? {} : focusTarget)}
      />
    </fieldset>
  );
}
