import { deltaPart } from "@sandbox-agent-ts/protocol";
import type { UniversalEvent } from "../api-types.ts";

/** Between two messages of one answer. */
const SEPARATOR = "\n\n";

/** The text of the agent's answer in the events of a turn, as it is written: no reasoning, no tools, no subagents. */
export class TurnText {
  /** What an item's deltas are part of, for daemons that do not say it in each. */
  readonly #parts = new Map<string, string | undefined>();
  #last: string | undefined;

  /** The piece of the answer that an event adds, if it adds one. */
  next(event: UniversalEvent): string {
    if (event.type === "item.started") this.#parts.set(event.data.item.item_id, deltaPart(event.data.item));
    if (event.type !== "item.delta") return "";
    const { item_id, delta, part } = event.data;
    if ((part ?? this.#parts.get(item_id)) !== "text" || delta === "") return "";
    const isNew = this.#last !== undefined && this.#last !== item_id;
    this.#last = item_id;
    return isNew ? SEPARATOR + delta : delta;
  }
}
