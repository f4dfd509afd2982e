import type { ContentPart } from "../content-part.ts";
import type { UniversalItem } from "../universal-item.ts";
import type { Choices } from "./choices.ts";
import type { StreamWriter } from "./stream-writer.ts";

type ItemSeed = Pick<UniversalItem, "kind" | "content"> & Partial<UniversalItem>;
/** The content of an item whose deltas were this text; `null` without any. */
type ContentOf = (text: string | null) => ContentPart[];

interface OpenItem {
  readonly item: UniversalItem;
  readonly contentOf: ContentOf;
  text: string | null;
}

const deltas = ["", "a", "Hello, ", "wörld", "👩‍💻", "\n\n", '{"x":', "\u0000"] as const;

/** Writes items, several at once. */
export class ItemWriter {
  readonly #stream: StreamWriter;
  readonly #choices: Choices;
  readonly #known: string[] = [];
  readonly #open: OpenItem[] = [];

  constructor(stream: StreamWriter, choices: Choices) {
    this.#stream = stream;
    this.#choices = choices;
  }

  start(seed: ItemSeed, contentOf: ContentOf): void {
    const parent = this.#known[this.#choices.below(5 * (this.#known.length + 1)) - 1];
    const item: UniversalItem = {
      item_id: `itm_${this.#known.length + 1}`,
      status: "in_progress",
      ...(parent === undefined ? {} : { parent_id: parent }),
      ...seed,
    };
    this.#known.push(item.item_id);
    this.#open.push({ item, contentOf, text: null });
    this.#stream.write("item.started", { item });
  }

  /** An item that comes whole. */
  startAndComplete(seed: ItemSeed): void {
    this.start(seed, () => seed.content);
    this.#complete(this.#open.length - 1, "completed");
  }

  grow(): void {
    if (this.#open.length === 0) return;
    const open = this.#open[this.#choices.below(this.#open.length)]!;
    const delta = this.#choices.of(deltas);
    open.text = (open.text ?? "") + delta;
    this.#stream.write("item.delta", { item_id: open.item.item_id, delta });
  }

  completeOne(): void {
    if (this.#open.length > 0) this.#complete(this.#choices.below(this.#open.length), "completed");
  }

  completeAll(): void {
    while (this.#open.length > 0) this.#complete(0, this.#choices.of(["completed", "failed"]));
  }

  #complete(index: number, status: "completed" | "failed"): void {
    const [open] = this.#open.splice(index, 1);
    if (!open) return;
    this.#stream.write("item.completed", { item: { ...open.item, status, content: open.contentOf(open.text) } });
  }
}
