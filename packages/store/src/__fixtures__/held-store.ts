import type { EventBatch } from "../event-store.ts";
import { MemoryStore } from "../memory/memory-store.ts";

interface HeldAppend {
  readonly batch: EventBatch;
  /** Keep the batch and acknowledge it. */
  allow(): void;
  refuse(error: Error): void;
}

/** A store over a slow line: every append waits until the test allows or refuses it. */
export class HeldStore extends MemoryStore {
  readonly #held: HeldAppend[] = [];
  #awaited: (() => void) | undefined;
  readonly calls: string[] = [];

  override append(sessionId: string, batch: EventBatch): Promise<void> {
    this.calls.push(`append ${batch.first}+${batch.count}`);
    return new Promise((resolve, reject) => {
      this.#held.push({
        batch,
        allow: () => {
          void super.append(sessionId, batch);
          resolve();
        },
        refuse: reject,
      });
      this.#awaited?.();
    });
  }

  override async sync(): Promise<void> {
    this.calls.push("sync");
  }

  override async close(): Promise<void> {
    this.calls.push("close");
  }

  /** The next append that waits, or comes to wait. */
  async next(): Promise<HeldAppend> {
    if (this.#held.length === 0) {
      await new Promise<void>((resolve) => {
        this.#awaited = resolve;
      });
    }
    return this.#held.shift()!;
  }
}
