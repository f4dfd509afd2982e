import type { EventDraft } from "@sandbox-agent-ts/protocol";
import type { Secrets } from "./secrets.ts";

type DeltaDraft = Extract<EventDraft, { type: "item.delta" }>;

/** So much of a secret may stay in the payload of a delta that ends with its beginning: many texts have that, too. */
const harmlessLength = 3;

/**
 * Takes the secrets out of what happens in a session, before it is in the log. A secret may come in pieces: the end of a
 * delta that may be the beginning of one is held back until the next delta of the item says more, so that the deltas of an
 * item are, joined, its text without secrets.
 */
export class DraftRedactor {
  readonly #secrets: Secrets;
  /** By item, what was held back. */
  readonly #held = new Map<string, string>();

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  redact(draft: EventDraft): EventDraft {
    if (this.#secrets.isEmpty) return draft;
    if (draft.type === "item.delta") return this.#delta(draft);
    // What is left of its text comes with the item.
    if (draft.type === "item.completed") this.#held.delete(draft.data.item.item_id);
    const data = this.#secrets.redactIn(draft.data);
    const raw = draft.raw === undefined ? undefined : this.#secrets.redactJson(draft.raw);
    return data === draft.data && raw === draft.raw ? draft : ({ ...draft, data, ...withRaw(raw) } as EventDraft);
  }

  /** What is held back when nothing more comes. */
  rest(): EventDraft[] {
    const held = [...this.#held];
    this.#held.clear();
    return held.map(([item_id, text]) => {
      const data = { item_id, delta: this.#secrets.redact(text) };
      return { type: "item.delta", source: "daemon", synthetic: true, data };
    });
  }

  #delta(draft: DeltaDraft): EventDraft {
    const { item_id, delta } = draft.data;
    const before = this.#held.get(item_id) ?? "";
    const text = before + delta;
    const cut = this.#cutOf(text);
    const isWhole = cut === text.length && before === "";
    if (isWhole && !this.#secrets.isIn(delta) && !(draft.raw && this.#secrets.isIn(draft.raw))) return draft;
    if (cut < text.length) this.#held.set(item_id, text.slice(cut));
    else this.#held.delete(item_id);
    const isInPieces = this.#secrets.isIn(before + delta) && !this.#secrets.isIn(delta);
    const showsPiece = isInPieces || text.length - cut > harmlessLength || before.length > harmlessLength;
    const raw = draft.raw === undefined || showsPiece ? undefined : this.#secrets.redactJson(draft.raw);
    const { raw: _, ...rest } = draft;
    return { ...rest, data: { ...draft.data, delta: this.#secrets.redact(text.slice(0, cut)) }, ...withRaw(raw) };
  }

  /** Up to where a text can be shown: not the beginning of a secret, and not a part of one that is there. */
  #cutOf(text: string): number {
    let cut = this.#secrets.startOfEnd(text);
    if (cut === text.length) return cut;
    for (const { start, end } of this.#secrets.placesIn(text)) {
      if (start < cut && cut < end) cut = end + this.#secrets.startOfEnd(text.slice(end));
    }
    return cut;
  }
}

const withRaw = (raw: string | undefined) => (raw === undefined ? {} : { raw });
