import type { ContentPart, UniversalItem } from "@sandbox-agent-ts/protocol";
import { memo } from "react";
import { Icon } from "../controls/icon.tsx";
import { JsonView } from "../controls/json-view.tsx";
import { DiffView } from "../diff/diff-view.tsx";
import { parseDiff } from "../diff/parse-diff.ts";
import { MessageText } from "./message-text.tsx";
import { Reasoning } from "./reasoning.tsx";
import { SandboxImage } from "./sandbox-image.tsx";
import { StatusLine } from "./status-lines.tsx";
import "./message-item.css";

const speakers: Readonly<Record<string, string>> = { user: "You", assistant: "Agent", system: "System", tool: "Tool" };

/** A message, whoever says it, and whatever an item of another kind holds. */
export const MessageItem = memo(function MessageItem({ item }: { item: UniversalItem }) {
  const role = item.kind === "message" ? (item.role ?? "assistant") : item.kind;
  const isWriting = item.status === "in_progress";
  return (
    <article
      className={`message message-${role}`}
      aria-label={`${speakers[role] ?? "Agent"} said`}
      aria-busy={isWriting}
    >
      {item.kind === "unknown" && <p className="message-kind">Unknown item</p>}
      {item.content.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
        <Part key={at} part={part} role={role} isWriting={isWriting} />
      ))}
      {item.status === "failed" && role !== "user" && <p className="message-cut">Cut off here.</p>}
    </article>
  );
});

interface PartProps {
  readonly part: ContentPart;
  readonly role: string;
  readonly isWriting: boolean;
}

function Part({ part, role, isWriting }: PartProps) {
  switch (part.type) {
    case "text":
      return <MessageText text={part.text} isPlain={role === "user"} />;
    case "reasoning":
      return <Reasoning part={part} isWriting={isWriting} />;
    case "image":
      return <SandboxImage path={part.path} mime={part.mime ?? undefined} />;
    case "json":
      return <JsonView value={part.json} />;
    case "status":
      return <StatusLine part={part} />;
    case "file_ref":
      return part.diff ? <DiffView diff={parseDiff(part.diff)} path={part.path} /> : <FileChip path={part.path} />;
    case "tool_result":
      return <MessageText text={part.output} isPlain={false} />;
    case "tool_call":
      return <JsonView value={part.arguments} />;
  }
}

function FileChip({ path }: { path: string }) {
  return (
    <p className="message-file" title={path}>
      <Icon name="file" size={14} />
      <span className="truncate">{path.split("/").at(-1)}</span>
    </p>
  );
}
