import type { EventDraft } from "@sandbox-agent/protocol";

/** Turns the drafts of one session into lines of its log. One template around parts serialised once: 1.3 × stringify. */
export class EventEncoder {
  readonly #head: string;
  readonly #sessionPart: string;
  #tail: string;

  constructor(session: { sessionId: string; uid: string }, nativeSessionId: string | null) {
    this.#head = `{"event_id":"evt_${session.uid}_`;
    this.#sessionPart = `","session_id":${JSON.stringify(session.sessionId)},"native_session_id":`;
    this.#tail = this.#tailFor(nativeSessionId);
  }

  setNativeSessionId(id: string): void {
    this.#tail = this.#tailFor(id);
  }

  encode(draft: EventDraft, sequence: number): string {
    return (
      `${this.#head}${sequence}","sequence":${sequence},"time":"${now()}${this.#tail}"${draft.source}","synthetic":` +
      `${draft.synthetic},"type":"${draft.type}","data":${JSON.stringify(draft.data)}}`
    );
  }

  #tailFor(nativeSessionId: string | null): string {
    return `${this.#sessionPart}${JSON.stringify(nativeSessionId)},"source":`;
  }
}

const sequencePattern = /^\{"event_id":"evt_[^"]*","sequence":(\d+),/;

/** The number of an encoded event, read from its first bytes; undefined when this is not the start of one. */
export function sequenceOf(lineStart: string): number | undefined {
  const match = sequencePattern.exec(lineStart);
  return match ? Number(match[1]) : undefined;
}

let cachedAt = 0;
let cachedTime = "";

/** RFC 3339 now; formatting costs 0.8 µs, so once per millisecond is enough. */
function now(): string {
  const time = Date.now();
  if (time !== cachedAt) {
    cachedAt = time;
    cachedTime = new Date(time).toISOString();
  }
  return cachedTime;
}

/** One line of the raw journal. Raw payloads are JSON text; a newline in one can only be white space. */
export function encodeRaw(sequence: number, raw: string): string {
  const line = raw.includes("\n") ? JSON.stringify(JSON.parse(raw)) : raw;
  return `{"sequence":${sequence},"raw":${line}}\n`;
}
