import type { ContentPart, ToolCallPart, ToolResultPart } from "../content-part.ts";
import type { UniversalItem } from "../universal-item.ts";
import type { BlockAttachment } from "./conversation-block.ts";

/** A part of an item that is a block of its own. */
export type ProsePiece = { readonly text: string; readonly attachments: BlockAttachment[] } & (
  | { readonly type: "user_message" | "assistant_text" | "thinking" }
  | { readonly type: "system"; readonly label: string | null }
);

export interface ItemPieces {
  readonly prose: readonly ProsePiece[];
  readonly calls: readonly ToolCallPart[];
  readonly results: readonly ToolResultPart[];
  /** What goes with the calls or results, where the item has nothing to say. */
  readonly attachments: readonly BlockAttachment[];
}

/** What an item is made of, as blocks see it. The user's messages and what the program tells are one block each, always. */
export function itemPieces(item: UniversalItem): ItemPieces {
  const calls = item.content.filter((part) => part.type === "tool_call");
  const results = item.content.filter((part) => part.type === "tool_result");
  const rest = item.content.filter((part) => part.type !== "tool_call" && part.type !== "tool_result");
  if (item.kind === "tool_call" || item.kind === "tool_result") {
    return { prose: [], calls, results, attachments: rest.flatMap(attachment) };
  }
  return { prose: prosePieces(item, rest), calls, results, attachments: [] };
}

function prosePieces({ kind, role }: UniversalItem, content: readonly ContentPart[]): ProsePiece[] {
  if (kind !== "message") return [systemPiece(content)];
  if (role === "user") return [userPiece(content)];
  const pieces: ProsePiece[] = [];
  for (const part of content) {
    if (part.type === "text") pieces.push({ type: "assistant_text", text: part.text, attachments: [] });
    else if (part.type === "reasoning") pieces.push({ type: "thinking", text: part.text, attachments: [] });
    else lastText(pieces).attachments.push(...attachment(part));
  }
  return pieces;
}

function lastText(pieces: ProsePiece[]): ProsePiece {
  const last = pieces.findLast(({ type }) => type === "assistant_text");
  if (last) return last;
  const made: ProsePiece = { type: "assistant_text", text: "", attachments: [] };
  pieces.push(made);
  return made;
}

function userPiece(content: readonly ContentPart[]): ProsePiece {
  const attachments = content.filter(({ type }) => type !== "text").flatMap(attachment);
  return { type: "user_message", text: textsOf(content).join("\n"), attachments };
}

function systemPiece(content: readonly ContentPart[]): ProsePiece {
  const status = content.find((part) => part.type === "status");
  const attachments = content.filter((part) => part !== status && part.type !== "text").flatMap(attachment);
  const said = [status?.detail ?? "", ...textsOf(content)].filter((text) => text !== "");
  return { type: "system", label: status?.label ?? null, text: said.join("\n"), attachments };
}

function textsOf(content: readonly ContentPart[]): string[] {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : []));
}

function attachment(part: ContentPart): BlockAttachment[] {
  if (part.type === "tool_call" || part.type === "tool_result") return [];
  return part.type === "reasoning" ? [{ type: "text", text: part.text }] : [part];
}
