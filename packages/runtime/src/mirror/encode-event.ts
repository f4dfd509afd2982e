import type { EventDraft, UniversalEvent } from "@sandbox-agent-ts/protocol";

/** What a line of a session's log is made from: an event of a sandbox's daemon, or one of the runtime's own. */
export type LogEntry = EventDraft & {
  readonly time: string;
  readonly nativeSessionId: string | null;
  /** Where it stands for deltas of one item that came together: each of them. `data.delta` is then their text, joined. */
  readonly run?: readonly RunDelta[];
};

/** A delta that differs from the others of its run in nothing but time, text and payload. */
export interface RunDelta {
  readonly delta: string;
  /** The line from behind its sequence on. */
  readonly body: string;
  readonly raw?: string | undefined;
}

/** How many events they are. */
export function countOf(entries: readonly LogEntry[]): number {
  return entries.reduce((count, { run }) => count + (run?.length ?? 1), 0);
}

/** The same with every event as an entry of its own. */
export function* eachOf(entries: readonly LogEntry[]): Generator<LogEntry, void, undefined> {
  for (const { run, ...entry } of entries) {
    if (run) for (const { delta, raw } of run) yield { ...entry, data: { ...entry.data, delta }, raw } as LogEntry;
    else yield entry as LogEntry;
  }
}

/** Lines of the log in the same layout as those of a daemon, of which readers find their way by the first fields. */
export class EntryEncoder {
  readonly #idPrefix: string;
  readonly #sessionId: string;

  constructor({ uid, sessionId }: { uid: string; sessionId: string }) {
    this.#idPrefix = `{"event_id":"evt_${uid}_`;
    this.#sessionId = JSON.stringify(sessionId);
  }

  /** Its line, or those of its run, each with its newline. */
  encode(entry: LogEntry, first: number): string {
    if (!entry.run) return this.#line(first, this.#bodyOf(entry));
    let lines = "";
    let sequence = first;
    for (const { body } of entry.run) lines += this.#line(sequence++, body);
    return lines;
  }

  #line(sequence: number, body: string): string {
    return `${this.#idPrefix}${sequence}","sequence":${sequence}${body}\n`;
  }

  #bodyOf({ time, nativeSessionId, source, synthetic, type, data }: LogEntry): string {
    return (
      `,"time":"${time}","session_id":${this.#sessionId},"native_session_id":${JSON.stringify(nativeSessionId)},` +
      `"source":"${source}","synthetic":${synthetic},"type":"${type}","data":${JSON.stringify(data)}}`
    );
  }
}

/** The lines of the raw journal for an entry, empty when it has no payload. */
export function rawLines({ run, raw }: LogEntry, first: number): string {
  if (!run) return rawLine(first, raw);
  let lines = "";
  let sequence = first;
  for (const one of run) lines += rawLine(sequence++, one.raw);
  return lines;
}

function rawLine(sequence: number, raw: string | undefined): string {
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
