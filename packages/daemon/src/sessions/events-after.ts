import { SandboxError, type UniversalEvent, type UniversalItem } from "@sandbox-agent-ts/protocol";
import type { EventChunk, SessionLog } from "@sandbox-agent-ts/store";

/** A longer event is not parsed, because that may take more memory than there is: its beginning says enough. */
const maxParsedBytes = 32 * 1024 * 1024;
const beginning =
  /^\{"event_id":"([^"]*)","sequence":(\d+),.*?,"type":"(item\.delta|item\.completed)","data":\{(?:"item":\{)?"item_id":("(?:[^"\\]|\\.)*")/s;

/** The events of a log after a sequence. Of one that is too long for the memory only what it is about. */
export async function* eventsAfter(log: SessionLog, after: number): AsyncGenerator<UniversalEvent> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of log.read(after, Number.POSITIVE_INFINITY, false)) {
    if (!chunk.part) {
      yield* parseLines(chunk);
      continue;
    }
    length += chunk.text.length;
    if (length <= maxParsedBytes || parts.length === 0) parts.push(chunk.bytes);
    else parts.length = 1;
    if (!chunk.part.ends) continue;
    const bytes = Buffer.concat(parts);
    yield length <= maxParsedBytes ? JSON.parse(bytes.toString("utf8")) : outline(bytes, chunk.first, log.sessionId);
    parts = [];
    length = 0;
  }
}

function* parseLines(chunk: EventChunk): Generator<UniversalEvent> {
  for (const line of chunk.bytes.toString("utf8").split("\n")) if (line !== "") yield JSON.parse(line);
}

/** What a long event is about, from its beginning. */
function outline(bytes: Buffer, sequence: number, sessionId: string): UniversalEvent {
  const [, event_id, , type, itemId] = beginning.exec(bytes.toString("utf8", 0, 64 * 1024)) ?? [];
  if (event_id === undefined || itemId === undefined) {
    throw new SandboxError("internal_error", `Event ${sequence} of the log is too long to be read.`, { sessionId });
  }
  const item_id = JSON.parse(itemId) as string;
  const about = { event_id, sequence, time: "", session_id: sessionId, native_session_id: null };
  if (type === "item.delta") {
    return { ...about, source: "agent", synthetic: false, type, data: { item_id, delta: "" } };
  }
  const item: UniversalItem = { item_id, kind: "unknown", role: "assistant", status: "completed", content: [] };
  return { ...about, source: "agent", synthetic: false, type: "item.completed", data: { item } };
}
