import { describe, expect, it } from "vitest";
import { openLog } from "./__fixtures__/open-log.ts";
import { textDraft } from "./__fixtures__/text-draft.ts";
import { readTexts } from "./contract/sample-log.ts";
import type { EventBatch } from "./event-store.ts";
import { MemoryStore } from "./memory/memory-store.ts";

/** Tells what happens at the very moment at which it refuses, before whoever waits for the refusal can know. */
class RefusingStore extends MemoryStore {
  onRefusal: (() => void) | undefined;

  override append(sessionId: string, batch: EventBatch): void | Promise<void> {
    const { onRefusal } = this;
    this.onRefusal = undefined;
    onRefusal?.();
    if (onRefusal) throw new Error("refused");
    return super.append(sessionId, batch);
  }
}

describe("drafts that build on others", () => {
  it("are refused with those, although they came a moment later and there is room again", async () => {
    const { events, log, store } = await openLog(new RefusingStore());
    const knew = log.failures;
    let late: Promise<void> | undefined;
    store.onRefusal = () =>
      queueMicrotask(() => {
        late = log.append([textDraft("and so on")], knew);
        late.catch(() => {});
      });
    await expect(log.append([textDraft("once upon a time")], knew)).rejects.toThrow("refused");
    await expect(late).rejects.toThrow("refused");
    await log.append([textDraft("from the beginning")], log.failures);
    expect(await readTexts(events.store, "s")).toEqual(["from the beginning"]);
  });
});
