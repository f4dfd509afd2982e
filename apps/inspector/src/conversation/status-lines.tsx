import type { StatusPart, UniversalItem } from "@sandbox-agent-ts/protocol";
import { memo } from "react";
import { Disclosure } from "../controls/disclosure.tsx";
import { Icon } from "../controls/icon.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { type Todo, todosOf } from "./todo-list.ts";
import "./status-lines.css";

/** What the agent was busy with. Of several reports on the same thing in a row the last one counts. */
export const StatusLines = memo(function StatusLines({ items }: { items: readonly UniversalItem[] }) {
  const parts = items.flatMap(({ content }) => content).filter((part) => part.type === "status");
  const news = parts.filter(({ label }, at) => parts[at + 1]?.label !== label);
  return (
    <div className="status-lines">
      {news.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: reports have no identity but their place
        <StatusLine key={at} part={part} />
      ))}
    </div>
  );
});

export function StatusLine({ part: { label, detail } }: { part: StatusPart }) {
  const todos = todosOf(detail ?? "");
  if (todos) return <TodoCard label={label} todos={todos} />;
  if (detail?.includes("\n")) {
    return (
      <Disclosure className="status-long" isOpenAtFirst summary={<span className="status-label">{label}</span>}>
        {() => <Markdown text={detail} />}
      </Disclosure>
    );
  }
  return (
    <p className="status-line">
      <span className="status-label">{label}</span>
      {detail && <span>{detail}</span>}
    </p>
  );
}

const words = { done: "done", active: "in progress", open: "to do" } as const;

function TodoCard({ label, todos }: { label: string; todos: readonly Todo[] }) {
  const done = todos.filter(({ state }) => state === "done").length;
  return (
    <section className="todos" aria-label={label}>
      <p className="todos-title">
        {label}
        <span>
          {done} of {todos.length}
        </span>
      </p>
      <ul>
        {todos.map(({ text, state }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity but their place
          <li key={at} className={`todo todo-${state}`}>
            <span className="todo-mark">{state === "done" && <Icon name="check" size={12} />}</span>
            <span>
              {text} <span className="visually-hidden">({words[state]})</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
