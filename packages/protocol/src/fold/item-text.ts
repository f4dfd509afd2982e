import type { ContentPart } from "../content-part.ts";
import type { UniversalItem } from "../universal-item.ts";

/**
 * How much text an item may have, in UTF-16 code units, and the open items of a session together. A longer one is cut
 * while it streams: as JSON on one line it is at most six times as long, which a small heap can still hold.
 */
export const maxItemText = 8 * 1024 * 1024;
export const maxCollectedText = 4 * maxItemText;

/** The beginning of a text, at most `room` long; a character is never halved. */
export function textWithin(text: string, room: number): string {
  if (text.length <= room) return text;
  if (room <= 0) return "";
  const last = text.charCodeAt(room - 1);
  const isFirstHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isFirstHalf ? room - 1 : room);
}

/** What an agent's item has streamed so far with its next delta. More than is ever kept, but not without end. */
export function appendText(text: string, delta: string): string {
  return text + textWithin(delta, maxCollectedText - text.length);
}

/** How much text the parts of an item have. */
export function itemTextLength({ content }: UniversalItem): number {
  let length = 0;
  for (const part of content) length += textOf(part)?.length ?? 0;
  return length;
}

/** The same item with no more than `room` of its text: parts are cut from the end. */
export function itemWithin(item: UniversalItem, room: number): UniversalItem {
  let left = room;
  const content = item.content.map((part) => {
    const whole = textOf(part);
    if (whole === undefined) return part;
    const text = textWithin(whole, left);
    left -= text.length;
    return withText(part, text);
  });
  return { ...item, content };
}

/** None where the part has none, or where an agent that keeps to no schema has something else in its place. */
function textOf(part: ContentPart): string | undefined {
  const text = textFieldOf(part);
  return typeof text === "string" ? text : undefined;
}

function textFieldOf(part: ContentPart): unknown {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text;
    case "tool_call":
      return part.arguments;
    case "tool_result":
      return part.output;
    case "file_ref":
      return part.diff;
    case "status":
      return part.detail;
    default:
      return undefined;
  }
}

function withText(part: ContentPart, text: string): ContentPart {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { ...part, text };
    case "tool_call":
      return { ...part, arguments: text };
    case "tool_result":
      return { ...part, output: text };
    case "file_ref":
      return { ...part, diff: text };
    case "status":
      return { ...part, detail: text };
    default:
      return part;
  }
}
