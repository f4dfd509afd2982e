import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import type { ReadableLog } from "@sandbox-agent-ts/server";
import type { EventChunk, LogReaders } from "@sandbox-agent-ts/store";

/** What a new sandbox's agent is told of the conversation so far, at most. */
const maxRestoredBytes = 32 * 1024 * 1024;

/** The events of a log after one of them, up to the last that is there. */
export async function* eventsAfter(
  log: Pick<ReadableLog, "read">,
  after: number,
): AsyncGenerator<UniversalEvent, void, void> {
  for await (const { events } of parsed(log.read(after, Number.POSITIVE_INFINITY, false))) yield* events;
}

export interface ParsedEvents {
  readonly events: readonly UniversalEvent[];
  /** Characters of their text. */
  readonly length: number;
}

/** The events in chunks of a log, those that come together at once. */
export async function* parsed(chunks: AsyncIterable<EventChunk>): AsyncGenerator<ParsedEvents, void, void> {
  let part = "";
  for await (const chunk of chunks) {
    part += chunk.bytes.toString("utf8");
    if (chunk.part?.ends === false) continue;
    const { length } = part;
    const lines = part.split("\n").filter((line) => line !== "");
    part = "";
    yield { events: lines.map((line) => JSON.parse(line) as UniversalEvent), length };
  }
}

/** What was said and done up to here. */
export function conversationUpTo(readers: LogReaders, head: number): Promise<UniversalEvent[]> {
  return conversationIn(eventsAfter(readers, 0), head);
}

/** What was said and done, without what was only on the way to it; of a very long conversation the end. */
export async function conversationIn(
  events: AsyncIterable<UniversalEvent>,
  head = Number.POSITIVE_INFINITY,
): Promise<UniversalEvent[]> {
  const kept: { event: UniversalEvent; size: number }[] = [];
  let size = 0;
  for await (const event of events) {
    if (event.sequence > head) break;
    if (event.type !== "item.completed" && event.type !== "turn.started" && event.type !== "turn.ended") continue;
    const length = JSON.stringify(event.data).length;
    kept.push({ event, size: length });
    size += length;
    while (size > maxRestoredBytes && kept.length > 1) size -= kept.shift()!.size;
  }
  return kept.map(({ event }) => event);
}
