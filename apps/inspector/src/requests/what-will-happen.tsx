import { Disclosure } from "../controls/disclosure.tsx";
import { JsonView } from "../controls/json-view.tsx";
import { Output } from "../conversation/output.tsx";
import { useShownPath } from "../conversation/session-context.ts";
import { changeOfInput, commandOf, isRecord } from "../conversation/tool-view.ts";
import { DiffView } from "../diff/diff-view.tsx";
import { parseDiff } from "../diff/parse-diff.ts";
import "./what-will-happen.css";

/** What is going to be done if a person says yes: the command, the change, or whatever the tool is given. */
export function WhatWillHappen({ metadata }: { metadata: Readonly<Record<string, unknown>> }) {
  const shownPath = useShownPath();
  const input = isRecord(metadata.input) ? metadata.input : {};
  const command = commandOf(metadata) ?? commandOf(input);
  const diff = textOf(metadata.diff) ?? textOf(input.diff);
  const change = changeOfInput(input);
  const isShown = command !== undefined || diff !== undefined || change !== undefined;
  return (
    <div className="what-will-happen">
      <Facts metadata={metadata} />
      {command !== undefined && <Output command={command} output="" />}
      {diff !== undefined && <DiffView diff={parseDiff(diff)} />}
      {diff === undefined && change?.diff && <DiffView diff={change.diff} path={shownPath(change.path)} />}
      {!isShown && Object.keys(input).length > 0 && <JsonView value={input} />}
      <Disclosure className="what-raw" summary="Everything the agent said about it">
        {() => <JsonView value={metadata} />}
      </Disclosure>
    </div>
  );
}

const facts = ["tool", "reason", "cwd", "blocked_path"] as const;
const names = { tool: "Tool", reason: "Reason", cwd: "In", blocked_path: "Path" } as const;

function Facts({ metadata }: { metadata: Readonly<Record<string, unknown>> }) {
  const told = facts.flatMap((name) => {
    const value = textOf(metadata[name]);
    return value === undefined ? [] : [{ name: names[name], value }];
  });
  if (told.length === 0) return null;
  return (
    <dl className="what-facts">
      {told.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
