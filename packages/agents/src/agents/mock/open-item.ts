import {
  appendText,
  type ContentPart,
  type EventDraft,
  type ItemStatus,
  type UniversalItem,
} from "@sandbox-agent-ts/protocol";
import { mockDraft } from "./mock-draft.ts";

export type ItemStart = Omit<UniversalItem, "status">;

/** An item between `item.started` and its one `item.completed`. Knows the text it has streamed. */
export class OpenItem {
  readonly id: string;
  readonly #emit: (drafts: readonly EventDraft[]) => void;
  readonly #start: ItemStart;
  #streamed = "";

  constructor(emit: (drafts: readonly EventDraft[]) => void, start: ItemStart) {
    this.id = start.item_id;
    this.#emit = emit;
    this.#start = start;
    this.#emit([mockDraft("item.started", { item: { ...start, status: "in_progress" } }, { kind: start.kind })]);
  }

  /** Stream the same piece of text `times` times, as one batch. */
  append(text: string, times = 1): void {
    for (let n = 0; n < times; n++) this.#streamed = appendText(this.#streamed, text);
    const delta = mockDraft("item.delta", { item_id: this.id, delta: text }, { length: text.length });
    this.#emit(new Array<EventDraft>(times).fill(delta));
  }

  finish(status: Exclude<ItemStatus, "in_progress">): void {
    const content = this.#start.content.map((part) => withText(part, this.#streamed));
    const item: UniversalItem = { ...this.#start, status, content };
    this.#emit([mockDraft("item.completed", { item }, { kind: item.kind, status })]);
  }
}

function withText(part: ContentPart, text: string): ContentPart {
  return part.type === "text" || part.type === "reasoning" ? { ...part, text } : part;
}
