import {
  applyToBlocks,
  type BlockChange,
  type BlockState,
  createBlockState,
  type UniversalEvent,
} from "@sandbox-agent-ts/protocol";
import type { LogReaders } from "@sandbox-agent-ts/store";
import { countOf, eachOf, type LogEntry } from "../mirror/encode-event.ts";
import { eventsAfter } from "../sessions/conversation.ts";
import type { EventBus } from "./event-bus.ts";

const names = ["session:block:start", "session:block:delta", "session:block:update", "session:block:complete"] as const;

/**
 * Tells what the log of a session does to its blocks, as long as somebody listens; else it does and holds nothing. Blocks of
 * what was written before are not told. To name them as everybody does, a log that has a past is read through once.
 */
export class BlockEvents {
  readonly #sessionId: string;
  readonly #bus: EventBus;
  readonly #readers: LogReaders;
  readonly #onFailure: (error: unknown) => void;
  #state: BlockState | undefined;
  /** The last event whose changes were told, or that came before somebody listened. */
  #told: number | undefined;
  #isCatchingUp = false;

  constructor(sessionId: string, bus: EventBus, readers: LogReaders, onFailure: (error: unknown) => void) {
    this.#sessionId = sessionId;
    this.#bus = bus;
    this.#readers = readers;
    this.#onFailure = onFailure;
  }

  /** These are the last entries of the log. */
  written(entries: readonly LogEntry[]): void {
    if (!this.#bus.isHeard(names)) {
      this.#forget();
      return;
    }
    const before = this.#readers.head - countOf(entries);
    this.#told ??= before;
    if (this.#isCatchingUp) return;
    const state = this.#state;
    if (state?.sequence === before) {
      let sequence = before;
      for (const entry of eachOf(entries)) this.#tell(state, { ...entry, sequence: ++sequence });
    } else void this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    this.#isCatchingUp = true;
    const state = createBlockState();
    try {
      while (state.sequence < this.#readers.head && this.#told !== undefined) {
        for await (const event of eventsAfter(this.#readers, state.sequence)) this.#tell(state, event);
      }
      this.#state = this.#told === undefined ? undefined : state;
    } catch (error) {
      this.#onFailure(error);
    } finally {
      this.#isCatchingUp = false;
    }
  }

  #forget(): void {
    this.#state = undefined;
    this.#told = undefined;
  }

  #tell(state: BlockState, event: Pick<UniversalEvent, "sequence"> & Parameters<typeof applyToBlocks>[1]): void {
    const changes = applyToBlocks(state, event);
    if (this.#told === undefined || event.sequence <= this.#told) return;
    this.#told = event.sequence;
    for (const change of changes) this.#emit(change, event.sequence);
  }

  #emit({ type, ...change }: BlockChange, sequence: number): void {
    this.#bus.emit(`session:block:${type}`, { sessionId: this.#sessionId, sequence, ...change } as never);
  }
}
