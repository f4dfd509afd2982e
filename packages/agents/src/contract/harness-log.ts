import {
  applyToSession,
  createSessionState,
  type EventDraft,
  type EventOf,
  type EventType,
  type UniversalEvent,
} from "@sandbox-agent-ts/protocol";

/** A session's log in memory: numbers drafts, keeps the state, lets a test wait for what comes. */
export class HarnessLog {
  readonly events: UniversalEvent[] = [];
  readonly state = createSessionState();
  nativeSessionId: string | null = null;
  readonly #sessionId: string;
  readonly #taken = new Map<EventType, number>();
  #turnStart = 0;
  #waiting: (() => void)[] = [];

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  append(drafts: readonly EventDraft[]): void {
    for (const draft of drafts) {
      const event = this.#number(draft);
      if (event.type === "turn.started") this.#turnStart = this.events.length;
      this.events.push(event);
      applyToSession(this.state, event);
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** The next event of this type in the running turn, each handed out once; rejects when the turn ends without one. */
  async next<T extends EventType>(type: T): Promise<EventOf<T>> {
    for (let at = Math.max(this.#turnStart, this.#taken.get(type) ?? 0); ; at += 1) {
      while (at >= this.events.length) await new Promise<void>((wake) => this.#waiting.push(wake));
      const event = this.events[at]!;
      if (event.type === type) {
        this.#taken.set(type, at + 1);
        return event as EventOf<T>;
      }
      if (event.type === "turn.ended") {
        throw new Error(`The turn ended without ${type}: ${JSON.stringify(event.data.metadata)}`);
      }
    }
  }

  #number(draft: EventDraft): UniversalEvent {
    const sequence = this.events.length + 1;
    const envelope = {
      event_id: `${this.#sessionId}-${sequence}`,
      sequence,
      time: new Date().toISOString(),
      session_id: this.#sessionId,
      native_session_id: this.nativeSessionId,
    };
    return { ...draft, ...envelope } as UniversalEvent;
  }
}
