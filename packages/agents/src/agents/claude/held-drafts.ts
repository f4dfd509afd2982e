import type { EventDraft } from "@sandbox-agent-ts/protocol";

/** Of longer stories between two prompts the beginning is forgotten. */
const MOST_ITEMS = 1_000;

/**
 * What the agent did between prompts, when a background command brought it back to work: events need a turn, so they wait
 * for the next one. Kept small: of a completed item only its whole text is kept.
 */
export class HeldDrafts {
  /** By item or request. */
  readonly #held = new Map<string, EventDraft[]>();

  /** Takes what has to wait and returns what has not. */
  hold(drafts: readonly EventDraft[]): EventDraft[] {
    return drafts.filter((draft) => !this.#take(draft));
  }

  release(): EventDraft[] {
    const drafts = [...this.#held.values()].flat();
    this.#held.clear();
    return drafts;
  }

  /** The process is gone: what it had not finished it will never finish. */
  forgetUnfinished(): void {
    for (const [id, drafts] of this.#held) {
      if (drafts.at(-1)?.type !== "item.completed") this.#held.delete(id);
    }
  }

  #take(draft: EventDraft): boolean {
    switch (draft.type) {
      case "item.started":
        if (draft.data.item.kind === "status" || draft.data.item.kind === "system") return false;
        this.#begin(draft.data.item.item_id, draft);
        return true;
      case "item.delta":
        return this.#add(draft.data.item_id, draft);
      case "item.completed":
        return this.#complete(draft);
      case "permission.requested":
        this.#begin(draft.data.permission_id, draft);
        return true;
      case "question.requested":
        this.#begin(draft.data.question_id, draft);
        return true;
      case "permission.resolved":
        return this.#held.delete(draft.data.permission_id);
      case "question.resolved":
        return this.#held.delete(draft.data.question_id);
      default:
        return false;
    }
  }

  #begin(id: string, draft: EventDraft): void {
    this.#held.set(id, [draft]);
    const [oldest] = this.#held.keys();
    if (this.#held.size > MOST_ITEMS && oldest !== undefined) this.#held.delete(oldest);
  }

  #add(id: string, draft: EventDraft): boolean {
    return (this.#held.get(id)?.push(draft) ?? 0) > 0;
  }

  #complete(draft: EventDraft & { type: "item.completed" }): boolean {
    const { item_id } = draft.data.item;
    const [start, ...deltas] = this.#held.get(item_id) ?? [];
    if (start === undefined) return false;
    const delta = deltas.map((event) => (event.type === "item.delta" ? event.data.delta : "")).join("");
    const whole: EventDraft[] =
      delta === "" ? [] : [{ ...draft, type: "item.delta", data: { item_id, delta } } satisfies EventDraft];
    this.#held.set(item_id, [start, ...whole, draft]);
    return true;
  }
}
