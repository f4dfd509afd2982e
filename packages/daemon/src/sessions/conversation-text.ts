import type { ContentPart, UniversalEvent, UniversalItem } from "@sandbox-agent-ts/protocol";

/** Of a longer conversation its end. */
const maxLength = 200_000;
/** Of a longer input or output of a tool its beginning. */
const maxToolLength = 2_000;

/** A conversation in words, for an agent that can be told of it in no other way. Empty when nothing was said. */
export function conversationText(events: readonly UniversalEvent[]): string {
  const lines = events.flatMap((event) =>
    event.type === "item.completed" && !event.data.item.parent_id ? linesOf(event.data.item) : [],
  );
  if (lines.length === 0) return "";
  const text = lines.join("\n\n");
  const isCut = text.length > maxLength;
  const cut = isCut ? " Its beginning is left out." : "";
  return [
    `This conversation began elsewhere. Go on with it as if it had been with you.${cut} What was said so far:`,
    "<conversation>",
    text.slice(-maxLength).replace(/^[\uDC00-\uDFFF]/, ""),
    "</conversation>",
    "The next message is:",
  ].join("\n");
}

function linesOf(item: UniversalItem): string[] {
  const who = item.role === "user" ? "User" : "Assistant";
  return item.content.flatMap((part) => lineOf(part, who, item.kind === "message"));
}

function lineOf(part: ContentPart, who: string, isMessage: boolean): string[] {
  if (part.type === "text" && isMessage && part.text.trim() !== "") return [`${who}: ${part.text}`];
  if (part.type === "tool_call") return [`Assistant called ${part.name}: ${short(part.arguments)}`];
  if (part.type === "tool_result") return [`The result was: ${short(part.output)}`];
  return [];
}

function short(text: string): string {
  return text.length > maxToolLength ? `${text.slice(0, maxToolLength)}…` : text;
}
