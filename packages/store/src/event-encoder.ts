import type { EventDraft } from "@sandbox-agent-ts/protocol";

type DeltaDraft = Extract<EventDraft, { type: "item.delta" }>;

/** What comes before the text of a delta, and what it was made from. */
interface DeltaStart extends Pick<DeltaDraft, "source" | "synthetic">, Omit<DeltaDraft["data"], "delta"> {
  readonly time: string;
  readonly text: string;
}

/** Turns the drafts of one session into lines of its log. One template around parts serialised once: 1.3 × stringify. */
export class EventEncoder {
  readonly #head: string;
  readonly #sessionPart: string;
  #tail: string;
  #deltaStart: DeltaStart | undefined;

  constructor(session: { sessionId: string; uid: string }, nativeSessionId: string | null) {
    this.#head = `{"event_id":"evt_${session.uid}_`;
    this.#sessionPart = `","session_id":${JSON.stringify(session.sessionId)},"native_session_id":`;
    this.#tail = this.#tailFor(nativeSessionId);
  }

  setNativeSessionId(id: string): void {
    this.#tail = this.#tailFor(id);
    this.#deltaStart = undefined;
  }

  encode(draft: EventDraft, sequence: number): string {
    const isDelta = draft.type === "item.delta";
    const start = isDelta ? this.#startOfDelta(draft) : this.#envelope(draft, now());
    const rest = isDelta ? `${JSON.stringify(draft.data.delta)}}}` : `${JSON.stringify(draft.data)}}`;
    return `${this.#head}${sequence}","sequence":${sequence}${start}${rest}`;
  }

  /** Nearly all events are deltas, one after the other of the same item: what they have in common is made once. */
  #startOfDelta(draft: DeltaDraft): string {
    const { source, synthetic, data } = draft;
    const { item_id, native_item_id, part } = data;
    const time = now();
    const last = this.#deltaStart;
    const isSame = last?.time === time && last.source === source && last.synthetic === synthetic;
    if (isSame && last.item_id === item_id && last.native_item_id === native_item_id && last.part === part) {
      return last.text;
    }
    const native = native_item_id ? `,"native_item_id":${JSON.stringify(native_item_id)}` : "";
    const written = part ? `,"part":"${part}"` : "";
    const ids = `{"item_id":${JSON.stringify(item_id)}${native}${written},"delta":`;
    const text = `${this.#envelope(draft, time)}${ids}`;
    this.#deltaStart = { time, source, synthetic, item_id, native_item_id, part, text } as DeltaStart;
    return text;
  }

  #envelope({ source, synthetic, type }: EventDraft, time: string): string {
    return `,"time":"${time}${this.#tail}"${source}","synthetic":${synthetic},"type":"${type}","data":`;
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

/** The line of the raw journal for an event, empty when it has no raw payload. */
export function encodeRaw(sequence: number, { type, raw }: EventDraft): string {
  if (raw === undefined) return "";
  return `{"sequence":${sequence},"raw":${type !== "agent.unparsed" && isObjectLine(raw) ? raw : asJson(raw)}}\n`;
}

/** One line in braces that was understood is JSON; parsing it again to be sure would cost as much as the event. */
function isObjectLine(raw: string): boolean {
  return raw.startsWith("{") && raw.endsWith("}") && !raw.includes("\n") && !raw.includes("\r");
}

/** White space may break lines in JSON, and what could not be understood may be anything: then it is a string. */
function asJson(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    return JSON.stringify(raw);
  }
}
