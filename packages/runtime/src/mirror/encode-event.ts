import type { EventDraft, UniversalEvent } from "@sandbox-agent-ts/protocol";

/** What a line of a session's log is made from: an event of a sandbox's daemon, or one of the runtime's own. */
export type LogEntry = EventDraft & {
  readonly time: string;
  readonly nativeSessionId: string | null;
  /** The line from behind its sequence on, where it is at hand and says the same as the rest. */
  readonly body?: string;
};

/** Lines of the log in the same layout as those of a daemon, of which readers find their way by the first fields. */
export class EntryEncoder {
  readonly #idPrefix: string;
  readonly #sessionId: string;

  constructor({ uid, sessionId }: { uid: string; sessionId: string }) {
    this.#idPrefix = `{"event_id":"evt_${uid}_`;
    this.#sessionId = JSON.stringify(sessionId);
  }

  /** With its newline. */
  encode(entry: LogEntry, sequence: number): string {
    return `${this.#idPrefix}${sequence}","sequence":${sequence}${entry.body ?? this.#bodyOf(entry)}\n`;
  }

  #bodyOf({ time, nativeSessionId, source, synthetic, type, data }: LogEntry): string {
    return (
      `,"time":"${time}","session_id":${this.#sessionId},"native_session_id":${JSON.stringify(nativeSessionId)},` +
      `"source":"${source}","synthetic":${synthetic},"type":"${type}","data":${JSON.stringify(data)}}`
    );
  }
}

/** The line of the raw journal for an entry, empty when it has no payload. */
export function rawLine({ raw }: LogEntry, sequence: number): string {
  return raw === undefined ? "" : `{"sequence":${sequence},"raw":${raw}}\n`;
}

/** An event of a daemon, which must have been validated, as an entry of the runtime's own log. */
export function entryOf(event: UniversalEvent): LogEntry {
  const { time, native_session_id: nativeSessionId, source, synthetic, type, data, raw } = event;
  const entry = { type, data, source, synthetic, time, nativeSessionId };
  return (raw === undefined || raw === null ? entry : { ...entry, raw: JSON.stringify(raw) }) as LogEntry;
}

export function ownEntry(draft: EventDraft, nativeSessionId: string | null): LogEntry {
  return { ...draft, time: new Date().toISOString(), nativeSessionId };
}
