import type { EventDraft, EventPayload } from "@sandbox-agent-ts/protocol";

/** A longer native line is kept once, and not with each of the events it became. */
const MAX_REPEATED_RAW = 16 * 1024;

/** What an agent said, as drafts with the native lines they came from. */
export class AgentDrafts {
  readonly drafts: EventDraft[] = [];
  #lastRaw: string | undefined;

  /** Spelled out, because it is done for every delta: a spread costs as much as parsing the line. */
  push({ type, data }: EventPayload, raw: string | undefined): void {
    const isRepeated = raw === undefined || (raw.length > MAX_REPEATED_RAW && this.#lastRaw === raw);
    this.#lastRaw = raw;
    const draft = isRepeated
      ? { type, data, source: "agent", synthetic: false }
      : { type, data, source: "agent", synthetic: false, raw };
    this.drafts.push(draft as EventDraft);
  }
}
