import type { PermissionRequestedData } from "@sandbox-agent-ts/protocol";
import { Disclosure } from "../controls/disclosure.tsx";
import { JsonView } from "../controls/json-view.tsx";
import { Output } from "../conversation/output.tsx";
import { useShownPath } from "../conversation/session-context.ts";
import { isRecord } from "../conversation/tool-view.ts";
import { DiffView } from "../diff/diff-view.tsx";
import { parseDiff } from "../diff/parse-diff.ts";
import "./what-will-happen.css";

/** What is going to be done if a person says yes: the command, the change, or whatever the tool is given. */
export function WhatWillHappen({ permission }: { permission: PermissionRequestedData }) {
  const { command, diff, metadata } = permission;
  const input = isRecord(metadata?.input) ? metadata.input : {};
  return (
    <div className="what-will-happen">
      <Facts permission={permission} />
      {command && <Output command={command} output="" />}
      {diff && <DiffView diff={parseDiff(diff)} />}
      {!command && !diff && Object.keys(input).length > 0 && <JsonView value={input} />}
      <Disclosure className="what-raw" summary="Everything the agent said about it">
        {() => <JsonView value={metadata ?? {}} />}
      </Disclosure>
    </div>
  );
}

function Facts({ permission }: { permission: PermissionRequestedData }) {
  const shownPath = useShownPath();
  const { tool, cwd, url, paths, metadata } = permission;
  const told = [
    { name: "Tool", value: tool },
    { name: "Reason", value: textOf(metadata?.reason) },
    { name: "In", value: cwd },
    { name: "Files", value: paths?.map(shownPath).join(", ") },
    { name: "Address", value: url },
  ].filter(({ value }) => value);
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
