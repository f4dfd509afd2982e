import { getHeapStatistics } from "node:v8";
import { maxItemText } from "@sandbox-agent-ts/protocol";

/** A sixteenth of the heap in characters, which is an eighth of it in bytes at most. */
const shareOfHeap = 1 / 16;

/** How much text the open items of all sessions hold together; what is too much for the heap is cut like a long item. */
export class OpenText {
  readonly limit: number;
  #used = 0;

  constructor(limit = Math.max(maxItemText, Math.floor(getHeapStatistics().heap_size_limit * shareOfHeap))) {
    this.limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  get room(): number {
    return this.limit - this.#used;
  }

  /** One session holds so much more than before, or less. */
  add(difference: number): void {
    this.#used += difference;
  }
}
