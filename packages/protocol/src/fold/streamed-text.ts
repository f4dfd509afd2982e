import type { ContentPart, ReasoningPart, TextPart, ToolCallPart, ToolResultPart } from "../content-part.ts";
import type { DeltaPart } from "../event-data.ts";
import type { UniversalItem } from "../universal-item.ts";

/**
 * The text of an item that its deltas spell out: its text and reasoning, one after the other. An item that has neither
 * spells out its tool's arguments or output.
 */
export function streamedText(item: UniversalItem): string {
  const prose = item.content.filter(isProse);
  if (prose.length > 0) return prose.map((part) => part.text).join("");
  return item.content
    .filter(isTool)
    .map((part) => (part.type === "tool_call" ? part.arguments : part.output))
    .join("");
}

/** The item as it looks while it is written: what its deltas have spelled so far stands where its text will be. */
export function withStreamedText(item: UniversalItem, text: string): UniversalItem {
  const index = lastStreamed(item.content);
  const part = item.content[index];
  const content = item.content.slice();
  if (part === undefined) content.push({ type: "text", text });
  else content[index] = withText(part, text);
  return { ...item, content };
}

/**
 * What the deltas of an item spell out: `text` is the agent's answer and nothing else, what a subagent or a running command
 * writes is `output`. Undefined for the user's own message.
 */
export function deltaPart(item: UniversalItem): DeltaPart | undefined {
  if (item.role === "user") return undefined;
  if (item.kind === "tool_call") return "arguments";
  if (item.kind !== "message" || item.parent_id) return "output";
  return item.content.findLast(isProse)?.type === "reasoning" ? "reasoning" : "text";
}

function lastStreamed(content: readonly ContentPart[]): number {
  const prose = content.findLastIndex(isProse);
  return prose >= 0 ? prose : content.findLastIndex(isTool);
}

function withText(part: ContentPart, text: string): ContentPart {
  if (isProse(part)) return { ...part, text };
  if (part.type === "tool_call") return { ...part, arguments: text };
  if (part.type === "tool_result") return { ...part, output: text };
  return part;
}

function isProse(part: ContentPart): part is TextPart | ReasoningPart {
  return part.type === "text" || part.type === "reasoning";
}

function isTool(part: ContentPart): part is ToolCallPart | ToolResultPart {
  return part.type === "tool_call" || part.type === "tool_result";
}
