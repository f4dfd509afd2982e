import type { TurnEndedData } from "../event-data.ts";
import type { EventOf, UniversalEvent } from "../universal-event.ts";
import type { UniversalItem } from "../universal-item.ts";
import { LazyCopy } from "./lazy-copy.ts";
import { applyToSummary, type SessionSummary, sessionStatus } from "./session-state.ts";
import { withStreamedText } from "./streamed-text.ts";
import type { ItemInWriting, Transcript, TranscriptTurn } from "./transcript.ts";

/** A transcript while events are taken into it. The one it began with is never touched. */
export class TranscriptDraft {
  readonly #session: SessionSummary;
  readonly #items: LazyCopy<UniversalItem>;
  readonly #turns: LazyCopy<TranscriptTurn>;
  readonly #permissions: LazyCopy<Transcript["permissions"][number]>;
  readonly #questions: LazyCopy<Transcript["questions"][number]>;
  readonly #errors: LazyCopy<Transcript["errors"][number]>;
  readonly #writing: Map<string, ItemInWriting>;
  /** Items whose text grew: they are made anew once, at the end, and not at every delta. */
  readonly #grown = new Set<string>();
  /** Items of the running turn that its entry in `turns` does not list yet. */
  #newItemIds: string[] = [];
  #unparsed: number;

  constructor(base: Transcript) {
    const { session } = base;
    this.#session = { ...session, permissions: { ...session.permissions }, questions: { ...session.questions } };
    this.#items = new LazyCopy(base.items);
    this.#turns = new LazyCopy(base.turns);
    this.#permissions = new LazyCopy(base.permissions);
    this.#questions = new LazyCopy(base.questions);
    this.#errors = new LazyCopy(base.errors);
    this.#writing = new Map(Object.entries(base.writing));
    this.#unparsed = base.unparsed;
  }

  get lastSequence(): number {
    return this.#session.sequence;
  }

  apply(event: UniversalEvent): void {
    if (event.type === "turn.started") this.#startTurn(event);
    if (event.type === "turn.ended") this.#endTurn(event);
    applyToSummary(this.#session, event);
    switch (event.type) {
      case "item.started":
        this.#startItem(event.data.item);
        break;
      case "item.delta":
        this.#growItem(event.data.item_id, event.data.delta);
        break;
      case "item.completed":
        this.#completeItem(event.data.item);
        break;
      case "permission.requested":
        this.#permissions.push(event.data);
        break;
      case "permission.resolved":
        this.#permissions.remove((permission) => permission.permission_id === event.data.permission_id);
        break;
      case "question.requested":
        this.#questions.push(event.data);
        break;
      case "question.resolved":
        this.#questions.remove((question) => question.question_id === event.data.question_id);
        break;
      case "error":
        this.#addError(event);
        break;
      case "agent.unparsed":
        this.#unparsed += 1;
        break;
    }
  }

  finish(): Transcript {
    for (const itemId of this.#grown) this.#showText(itemId);
    this.#listNewItems();
    return {
      lastSequence: this.#session.sequence,
      status: sessionStatus(this.#session),
      session: this.#session,
      items: this.#items.list,
      turns: this.#turns.list,
      permissions: this.#permissions.list,
      questions: this.#questions.list,
      usage: this.#session.usage,
      errors: this.#errors.list,
      unparsed: this.#unparsed,
      writing: Object.fromEntries(this.#writing),
    };
  }

  #startTurn({ data, time }: EventOf<"turn.started">): void {
    this.#listNewItems();
    const clientMessageId = data.metadata?.client_message_id ?? undefined;
    const start = { status: "running" as const, startedAt: time, endedAt: null, itemIds: [] };
    this.#turns.push({ turnId: data.turn_id, ...(clientMessageId === undefined ? {} : { clientMessageId }), ...start });
  }

  #endTurn({ data, time }: EventOf<"turn.ended">): void {
    this.#listNewItems();
    const index = this.#turns.list.findLastIndex((turn) => turn.turnId === data.turn_id);
    const turn = this.#turns.list[index];
    if (turn) this.#turns.set(index, { ...turn, ...turnEnd(data), endedAt: time });
  }

  #listNewItems(): void {
    const index = this.#turns.list.length - 1;
    const turn = this.#turns.list[index];
    if (!turn || this.#newItemIds.length === 0) return;
    this.#turns.set(index, { ...turn, itemIds: turn.itemIds.concat(this.#newItemIds) });
    this.#newItemIds = [];
  }

  #startItem(item: UniversalItem): void {
    this.#writing.set(item.item_id, { index: this.#items.list.length, text: "" });
    this.#items.push(item);
    if (this.#session.turnId !== null) this.#newItemIds.push(item.item_id);
  }

  #growItem(itemId: string, delta: string): void {
    const writing = this.#writing.get(itemId);
    if (!writing) return;
    this.#writing.set(itemId, { index: writing.index, text: writing.text + delta });
    this.#grown.add(itemId);
  }

  #completeItem(item: UniversalItem): void {
    if (!this.#writing.has(item.item_id)) this.#startItem(item);
    const { index } = this.#writing.get(item.item_id)!;
    this.#items.set(index, item);
    this.#writing.delete(item.item_id);
    this.#grown.delete(item.item_id);
  }

  #showText(itemId: string): void {
    const { index, text } = this.#writing.get(itemId)!;
    this.#items.set(index, withStreamedText(this.#items.list[index]!, text));
  }

  #addError({ data, sequence, time }: EventOf<"error">): void {
    const itemIndex = this.#items.list.length;
    this.#errors.push({ ...data, sequence, time, turnId: this.#session.turnId, itemIndex });
  }
}

function turnEnd({ metadata }: TurnEndedData): Pick<TranscriptTurn, "status" | "message" | "usage" | "cost"> {
  const { reason, message, usage, cost } = metadata;
  return { status: reason, ...(message ? { message } : {}), ...(usage ? { usage } : {}), ...(cost ? { cost } : {}) };
}
