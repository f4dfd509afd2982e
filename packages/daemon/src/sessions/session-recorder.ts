import {
  applyPayload,
  applyToSession,
  createSessionState,
  type EventDraft,
  type SessionState,
  type UniversalEvent,
} from "@sandbox-agent-ts/protocol";
import type { SessionLog } from "@sandbox-agent-ts/store";
import { DraftRedactor } from "../secrets/draft-redactor.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { eventsAfter } from "./events-after.ts";
import { completionWithin, deltaWithin, startWithin } from "./item-limits.ts";
import { addDeltaPart, missingBefore } from "./lifecycle.ts";
import type { OpenText } from "./open-text.ts";

/** Writes a session's log and knows what it says: the state is the fold of everything recorded. */
export class SessionRecorder {
  readonly log: SessionLog;
  state: SessionState;
  updatedAt: number;
  readonly #openText: OpenText;
  readonly #redactor: DraftRedactor;
  /** How much of the state is counted there. */
  #countedText = 0;
  /** How many failed writes the state takes into account. */
  #knownFailures: number;
  #mending: Promise<void> | undefined;
  /** The state as it was read from the log after the last failed write. */
  #base: SessionState | undefined;
  /** Called with whatever is recorded, before it is written; with nothing when the state was read again. */
  onRecorded: (drafts: readonly EventDraft[]) => void = () => {};

  constructor(log: SessionLog, state: SessionState, updatedAt: number, host: { openText: OpenText; secrets: Secrets }) {
    this.#openText = host.openText;
    this.#redactor = new DraftRedactor(host.secrets);
    this.log = log;
    this.state = state;
    this.updatedAt = updatedAt;
    this.#knownFailures = log.failures;
  }

  /**
   * Resolves when readers can see the events. After a rejection none of them has happened: the state is read from the log
   * again, and what is recorded meanwhile waits for that. Secrets are taken out. More text than is allowed is cut; more
   * items than are allowed are refused, with all that follows them.
   */
  record(drafts: readonly EventDraft[]): Promise<void> {
    if (this.#mending) return this.#mending.then(() => this.record(drafts));
    return this.#record(drafts.map((draft) => this.#redactor.redact(draft)));
  }

  /** Text that waited for more, because it might have become a secret. Part of the state when it returns. */
  recordRest(): void {
    const rest = this.#mending ? [] : this.#redactor.rest();
    if (rest.length > 0) this.#record(rest).catch(() => {});
  }

  #record(drafts: readonly EventDraft[]): Promise<void> {
    const complete: EventDraft[] = [];
    let refusal: unknown;
    try {
      for (const draft of drafts) this.#take(draft, complete);
    } catch (error) {
      refusal = error;
    }
    this.#countText(this.state.openText);
    this.updatedAt = Date.now();
    const written = this.log.append(complete, this.#knownFailures);
    written.catch(() => this.#mend());
    this.onRecorded(complete);
    return refusal === undefined ? written : written.then(() => Promise.reject(refusal));
  }

  /** Take a draft into the state, with what is missing before it and no more than is allowed of it. */
  #take(draft: EventDraft, into: EventDraft[]): void {
    if (draft.type === "item.delta") {
      this.#apply(missingBefore(this.state, draft), into);
      const kept = deltaWithin(this.state, draft, this.#openText.room);
      if (kept === draft || kept.data.delta !== "") this.#applyOne(kept, into);
      if (kept !== draft) this.#countDropped(draft.data.item_id, draft.data.delta.length - kept.data.delta.length);
    } else if (draft.type === "item.completed") {
      const { draft: kept, notice } = completionWithin(this.state, draft);
      this.#apply(missingBefore(this.state, kept), into);
      this.#applyOne(kept, into);
      if (notice) this.#applyOne(notice, into);
    } else {
      this.#applyOne(draft.type === "item.started" ? startWithin(this.state, draft) : draft, into);
    }
  }

  #countDropped(itemId: string, length: number): void {
    const open = this.state.openItems[itemId];
    if (open) open.dropped += length;
  }

  #apply(drafts: readonly EventDraft[], into: EventDraft[]): void {
    for (const draft of drafts) this.#applyOne(draft, into);
  }

  #applyOne(draft: EventDraft, into: EventDraft[]): void {
    addDeltaPart(this.state, draft);
    applyPayload(this.state, draft);
    into.push(draft);
  }

  /** Whether the state may say more than the log: only after events could not be kept, until it is read again. */
  get isMending(): boolean {
    return this.#mending !== undefined;
  }

  /** Resolves when the state is what the log says: always at once, except after events could not be kept. */
  async mended(): Promise<void> {
    await this.#mending;
  }

  /** Also resolves only when a power cut would not undo it: before anything is acknowledged. */
  async recordDurably(drafts: readonly EventDraft[]): Promise<void> {
    await this.record(drafts);
    await this.log.sync();
  }

  setNativeSessionId(id: string): void {
    this.state.nativeSessionId = id;
    this.log.setNativeSessionId(id);
  }

  /** Everything that is in the log, from the start. */
  events(): AsyncIterable<UniversalEvent> {
    return eventsAfter(this.log, 0);
  }

  /** Make the state what the log says from `state` on: after a start, and after events could not be kept. */
  async reload(state: SessionState): Promise<void> {
    for await (const event of eventsAfter(this.log, state.sequence)) applyToSession(state, event);
    state.nativeSessionId ??= this.state.nativeSessionId;
    this.state = state;
    this.#countText(state.openText);
  }

  /** Nothing will be recorded any more. */
  release(): void {
    this.#countText(0);
  }

  #countText(held: number): void {
    if (held === this.#countedText) return;
    this.#openText.add(held - this.#countedText);
    this.#countedText = held;
  }

  /** From where it was read the last time on: a disk that stays full makes this happen once per attempt to write. */
  async #readAgain(): Promise<void> {
    const { openItems } = this.state;
    await this.reload(structuredClone(this.#base ?? createSessionState()));
    // What was dropped is in no log.
    for (const [id, open] of Object.entries(this.state.openItems)) open.dropped = openItems[id]?.dropped ?? 0;
    this.#base = structuredClone(this.state);
  }

  #mend(): void {
    this.#knownFailures = this.log.failures;
    this.#mending ??= this.#readAgain()
      .catch(() => {})
      .finally(() => {
        this.#mending = undefined;
        this.onRecorded([]);
      });
  }
}
