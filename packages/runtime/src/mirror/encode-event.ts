import type { EventDraft, UniversalEvent } from "@sandbox-agent-ts/protocol";
import type { DeltaRun } from "./delta-run.ts";
import type { TextPieces } from "./text-pieces.ts";

/** What a line of a session's log is made from: an event of a sandbox's daemon, or one of the runtime's own. */
export type LogEntry = EventDraft & {
  readonly time: string;
  readonly nativeSessionId: string | null;
  /** Where it stands for deltas of one item that came together: each of them. `data.delta` is then their text, joined. */
  readonly run?: DeltaRun;
};

/** How many events they are. */
export function countOf(entries: readonly LogEntry[]): number {
  return entries.reduce((count, { run }) => count + (run?.count ?? 1), 0);
}

/** The same with every event as an entry of its own. */
export function* eachOf(entries: readonly LogEntry[]): Generator<LogEntry, void, undefined> {
  for (const { run, ...entry } of entries) {
    if (!run) yield entry as LogEntry;
    else
      for (let n = 0; n < run.count; n++) {
        yield { ...entry, data: { ...entry.data, delta: run.deltaAt(n) }, raw: run.payloadAt(n) } as LogEntry;
      }
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

  /** Its line with its newline. */
  line(entry: LogEntry, sequence: number): string {
    return this.#line(sequence, this.#bodyOf(entry));
  }

  /** Put its line, or those of its run, behind `lines`, and its payloads, if it has any, behind `payloads`. */
  encode(entry: LogEntry, first: number, lines: TextPieces, payloads: TextPieces): void {
    const { run, raw } = entry;
    if (!run) {
      lines.add(this.line(entry, first));
      if (raw !== undefined) payloads.add(rawLine(first, raw));
      return;
    }
    for (let n = 0; n < run.count; n++) {
      const payload = run.payloadAt(n);
      lines.add(this.#line(first + n, run.bodyAt(n)));
      if (payload !== undefined) payloads.add(rawLine(first + n, payload));
    }
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

function rawLine(sequence: number, raw: string): string {
  return `{"sequence":${sequence},"raw":${raw}}\n`;
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
