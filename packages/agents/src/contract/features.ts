import type { CapabilityName, ContentPart, UniversalEvent, UniversalItem } from "@sandbox-agent/protocol";

export interface Feature {
  readonly title: string;
  /** The agent must claim these exactly when it shows the feature. */
  readonly capabilities: readonly CapabilityName[];
  /** Is it in the events of the turn? */
  shown(events: readonly UniversalEvent[]): boolean;
}

/** What an agent can be asked to show, and how it is recognised in a stream. */
export const features = {
  text: feature("answers with text", ["textMessages"], hasItem(isAssistantText)),
  longText: feature("streams a long text", ["streamingDeltas"], (events) => deltas(events).length > 1),
  reasoning: feature("shows its reasoning", ["reasoning"], hasPart("reasoning")),
  toolCall: feature("calls a tool and gets its result", ["toolCalls", "toolResults"], hasAnsweredToolCall),
  command: feature("runs a command", ["commandExecution"], hasAnsweredToolCall),
  fileChange: feature("changes a file", ["fileChanges"], hasPart("file_ref")),
  mcpTool: feature("calls a tool of an MCP server", ["mcpTools"], hasAnsweredToolCall),
  subagent: feature(
    "puts a subagent's items under the call that started it",
    [],
    hasItem((item) => typeof item.parent_id === "string"),
  ),
  status: feature("tells its status", ["status"], hasPart("status")),
  image: feature("shows an image", ["images"], hasPart("image")),
  attachment: feature("takes an attachment", ["fileAttachments"], hasItem(isAssistantText)),
  permission: feature("asks for permission", ["permissions"], hasEvent("permission.requested")),
  question: feature("asks a question", ["questions"], hasEvent("question.requested")),
  error: feature("reports an error", ["errorEvents"], hasEvent("error")),
  sessionEnd: feature("ends the session by itself", [], hasEvent("session.ended")),
} as const satisfies Record<string, Feature>;

export type FeatureName = keyof typeof features;

function feature(title: string, capabilities: CapabilityName[], shown: Feature["shown"]): Feature {
  return { title, capabilities, shown };
}

/** The items as they were when they were completed. */
export function completedItems(events: readonly UniversalEvent[]): UniversalItem[] {
  return events.flatMap((event) => (event.type === "item.completed" ? [event.data.item] : []));
}

/** What the assistant said, all its messages of the turn together. */
export function assistantText(events: readonly UniversalEvent[]): string {
  const parts = completedItems(events).flatMap((item) => (item.role === "assistant" ? item.content : []));
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

function hasEvent(type: UniversalEvent["type"]): Feature["shown"] {
  return (events) => events.some((event) => event.type === type);
}

function hasItem(matches: (item: UniversalItem) => boolean): Feature["shown"] {
  return (events) => completedItems(events).some(matches);
}

function hasPart(type: ContentPart["type"]): Feature["shown"] {
  return hasItem((item) => item.content.some((part) => part.type === type));
}

function isAssistantText(item: UniversalItem): boolean {
  return item.role === "assistant" && item.content.some((part) => part.type === "text" && part.text !== "");
}

function hasAnsweredToolCall(events: readonly UniversalEvent[]): boolean {
  const parts = completedItems(events).flatMap((item) => item.content);
  const calls = new Set(parts.flatMap((part) => (part.type === "tool_call" ? [part.call_id] : [])));
  return parts.some((part) => part.type === "tool_result" && calls.has(part.call_id));
}

function deltas(events: readonly UniversalEvent[]): UniversalEvent[] {
  return events.filter((event) => event.type === "item.delta" && event.source === "agent");
}
