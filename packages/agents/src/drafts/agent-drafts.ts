import type { EventDraft, EventPayload } from "@sandbox-agent-ts/protocol";

/** A longer native line is kept once, and not with each of the events it became. */
const MAX_REPEATED_RAW = 16 * 1024;

/** What an agent said, as drafts with the native lines they came from. */
export class AgentDrafts {
  readonly drafts: EventDraft[] = [];
  #lastRaw: string | undefined;

  push(payload: EventPayload, raw: string | undefined): void {
    const isRepeated = raw === undefined || (raw.length > MAX_REPEATED_RAW && this.#lastRaw === raw);
    this.#lastRaw = raw;
    const draft = { ...payload, source: "agent", synthetic: false } as EventDraft;
    this.drafts.push(isRepeated ? draft : { ...draft, raw });
  }
}
