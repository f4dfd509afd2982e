import type { ActionKind } from "@sandbox-agent-ts/protocol";
import { memo } from "react";
import { Disclosure } from "../controls/disclosure.tsx";
import { Icon, type IconName } from "../controls/icon.tsx";
import { JsonView } from "../controls/json-view.tsx";
import { DiffCount, DiffView } from "../diff/diff-view.tsx";
import { Entries } from "./entries.tsx";
import type { ToolUse } from "./entry.ts";
import { Output } from "./output.tsx";
import { SandboxImage } from "./sandbox-image.tsx";
import { useShownPath } from "./session-context.ts";
import { isRecord, type ToolView, toolViewOf } from "./tool-view.ts";
import "./tool-use.css";

const stateWords = { running: "running", done: "done", failed: "failed" } as const;

/** One use of a tool: a line that tells what it was, and opens to show all of it. Changes of files are open at once. */
export const ToolUseLine = memo(function ToolUseLine({ use }: { use: ToolUse }) {
  const view = toolViewOf(use);
  return (
    <Disclosure
      name={use.key}
      className={`tool-use tool-${view.state}`}
      isOpenAtFirst={view.changes.some(({ diff }) => diff !== undefined)}
      summary={<Summary view={view} insideCount={use.inside.length} />}
    >
      {() => <Detail use={use} view={view} />}
    </Disclosure>
  );
});

function Summary({ view, insideCount }: { view: ToolView; insideCount: number }) {
  const shownPath = useShownPath();
  return (
    <>
      <span className="tool-icon">
        <Icon name={iconOf(view, insideCount)} size={15} />
      </span>
      <span className="tool-name">{view.name}</span>
      <span className="tool-summary truncate">{shownPath(view.changes[0]?.path ?? view.summary)}</span>
      {insideCount > 0 && <span className="tool-note">subagent</span>}
      {view.changes.map(({ path, diff }) => diff && <DiffCount key={path} diff={diff} />)}
      <ToolStateMark state={view.state} />
    </>
  );
}

function ToolStateMark({ state }: { state: ToolView["state"] }) {
  return (
    <span className={`tool-state tool-state-${state}`}>
      {state === "running" ? (
        <span className="spinner" />
      ) : (
        <Icon name={state === "done" ? "check" : "cross"} size={14} />
      )}
      <span className="visually-hidden">{stateWords[state]}</span>
    </span>
  );
}

const icons: Readonly<Record<ActionKind, IconName>> = {
  read: "file",
  edit: "edit",
  delete: "trash",
  move: "edit",
  execute: "terminal",
  fetch: "globe",
  mcp: "bolt",
  other: "bolt",
};

function iconOf(view: ToolView, insideCount: number): IconName {
  if (insideCount > 0) return "bot";
  if (view.changes.length > 0) return "edit";
  if (view.images.length > 0) return "image";
  return icons[view.kind];
}

function Detail({ use, view }: { use: ToolUse; view: ToolView }) {
  const shownPath = useShownPath();
  const isRunning = view.state === "running";
  return (
    <div className="tool-detail">
      {use.inside.length > 0 && (
        <section className="tool-inside" aria-label="What the subagent did">
          <Entries entries={use.inside} />
        </section>
      )}
      {view.changes.map(({ path, action, diff }) =>
        diff ? (
          <DiffView key={path} diff={diff} path={shownPath(path)} />
        ) : (
          <p key={path} className="tool-path">
            {action === "write" ? "Wrote" : "Changed"} <code>{shownPath(path)}</code>
          </p>
        ),
      )}
      {view.images.map(({ path, mime }) => (
        <SandboxImage key={path} path={path} mime={mime ?? undefined} />
      ))}
      {view.command === undefined ? (
        <PlainDetail view={view} />
      ) : (
        <Output command={view.command} output={view.output} isRunning={isRunning} exitCode={view.exitCode} />
      )}
    </div>
  );
}

/** With a diff on the screen, the arguments that led to it would only say the same again. */
function PlainDetail({ view }: { view: ToolView }) {
  const hasArguments = isRecord(view.arguments) ? Object.keys(view.arguments).length > 0 : view.arguments !== "";
  const hasDiff = view.changes.some(({ diff }) => diff !== undefined);
  return (
    <>
      {hasArguments && !hasDiff && (
        <section aria-label="Arguments">
          <h4 className="tool-label">Arguments</h4>
          <JsonView value={view.arguments} />
        </section>
      )}
      {view.output !== "" && !(hasDiff && view.state === "done") && (
        <section aria-label="Output">
          <h4 className="tool-label">Output</h4>
          <Output output={view.output} isRunning={view.state === "running"} />
        </section>
      )}
    </>
  );
}
