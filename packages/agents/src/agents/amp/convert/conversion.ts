import type {
  ContentPart,
  EventDraft,
  EventOf,
  EventPayload,
  EventType,
  ItemKind,
  ItemRole,
  ItemStatus,
  Usage,
} from "@sandbox-agent-ts/protocol";
import { AgentDrafts } from "../../../drafts/agent-drafts.ts";
import type { ImageFile } from "../../../images/image-file.ts";
import type { AmpResult } from "../dialect.ts";
import type { AmpState, OpenCall } from "./amp-state.ts";

export interface Converted {
  readonly state: AmpState;
  readonly drafts: EventDraft[];
  readonly images: ImageFile[];
  readonly nativeSessionId?: string;
}

export interface ItemShape {
  readonly kind: ItemKind;
  readonly role: ItemRole;
  readonly content: ContentPart[];
  readonly nativeId?: string;
}

type Ended = Exclude<ItemStatus, "in_progress">;

/** The conversion of the lines of one read: a copy of the state to write into, and what came out so far. */
export class Conversion extends AgentDrafts {
  readonly start: AmpState;
  readonly images: ImageFile[] = [];
  readonly calls: Map<string, OpenCall>;
  usage: Usage | null;
  result: AmpResult | null;
  nativeSessionId: string | undefined;
  /** The line at hand. */
  raw = "";
  #itemCount: number;

  constructor(state: AmpState) {
    super();
    this.start = state;
    this.calls = new Map(state.calls);
    this.usage = state.usage;
    this.result = state.result;
    this.#itemCount = state.itemCount;
  }

  converted(): Converted {
    const { calls, usage, result, drafts, images, nativeSessionId } = this;
    return {
      state: { ...this.start, calls, usage, result, itemCount: this.#itemCount },
      drafts,
      images,
      ...(nativeSessionId === undefined ? {} : { nativeSessionId }),
    };
  }

  emit<T extends EventType>(type: T, data: EventOf<T>["data"]): void {
    this.push({ type, data } as EventPayload, this.raw);
  }

  nextItemId(): string {
    this.#itemCount += 1;
    return `${this.start.itemPrefix}${this.#itemCount}`;
  }

  /** An item that Amp begins in one line and ends in another. */
  startItem(shape: ItemShape): string {
    const itemId = this.nextItemId();
    this.emit("item.started", { item: itemOf(itemId, shape, "in_progress") });
    return itemId;
  }

  completeItem(itemId: string, shape: ItemShape, status: Ended): void {
    this.emit("item.completed", { item: itemOf(itemId, shape, status) });
  }

  /** An item that comes whole: its beginning, and its text as one delta, are made up. */
  showItem(shape: ItemShape, status: Ended, text = ""): void {
    const itemId = this.nextItemId();
    const content = shape.content.map((part) => ("text" in part ? { ...part, text: "" } : part));
    this.#makeUp("item.started", { item: itemOf(itemId, { ...shape, content }, "in_progress") });
    if (text !== "") this.#makeUp("item.delta", { item_id: itemId, delta: text });
    this.completeItem(itemId, shape, status);
  }

  #makeUp<T extends EventType>(type: T, data: EventOf<T>["data"]): void {
    this.drafts.push({ type, data, source: "daemon", synthetic: true } as EventDraft);
  }
}

function itemOf(itemId: string, shape: ItemShape, status: ItemStatus): EventOf<"item.started">["data"]["item"] {
  const { kind, role, content, nativeId } = shape;
  const native = nativeId === undefined ? {} : { native_item_id: nativeId };
  return { item_id: itemId, ...native, kind, role, status, content };
}
