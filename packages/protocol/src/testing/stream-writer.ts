import type { EventOf, EventSource, EventType, UniversalEvent } from "../universal-event.ts";

const firstMoment = Date.UTC(2026, 0, 1);

/** Numbers events as the log does. */
export class StreamWriter {
  readonly events: UniversalEvent[] = [];
  readonly #sessionId: string;
  nativeSessionId: string | null = null;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  write<T extends EventType>(type: T, data: EventOf<T>["data"], source: EventSource = "agent"): void {
    const sequence = this.events.length + 1;
    this.events.push({
      event_id: `evt_${sequence}`,
      sequence,
      time: new Date(firstMoment + sequence).toISOString(),
      session_id: this.#sessionId,
      native_session_id: this.nativeSessionId,
      source,
      synthetic: source === "daemon",
      type,
      data,
    } as UniversalEvent);
  }
}
