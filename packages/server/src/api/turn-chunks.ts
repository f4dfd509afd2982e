import type { EventChunk } from "@sandbox-agent-ts/store";
import type { ReadableLog, TurnPlace } from "../services.ts";

/**
 * Exactly the events of one turn, from `turn.started` to `turn.ended`, wherever in the log it happens or happened. The
 * marks are searched as text: the first `,"type":"` of a line is that of its event, because everything before it is an id
 * or a word, in whose JSON quotes are escaped. What an event is about may have a `type`, too.
 */
export async function* turnChunks(
  log: Pick<ReadableLog, "follow">,
  turn: TurnPlace,
  options: { signal: AbortSignal; raw: boolean },
): AsyncGenerator<EventChunk, void, void> {
  const started = mark(turn.turnId, "started");
  const ended = mark(turn.turnId, "ended");
  let inside = false;
  let through: number | undefined;
  for await (const chunk of log.follow(turn.after, options)) {
    const from = inside ? chunk.first : (sequenceOfMark(chunk, started) ?? sequenceOfMark(chunk, sessionEnded));
    if (from === undefined) continue;
    inside = true;
    through ??= sequenceOfMark(chunk, ended);
    yield chunk.between(from - 1, through ?? chunk.last);
    if (through !== undefined && chunk.part?.ends !== false) return;
  }
}

/** A session that ends before the turn could begin. */
const sessionEnded = ',"type":"session.ended","data":{"reason":';

function mark(turnId: string, phase: "started" | "ended"): string {
  return `,"type":"turn.${phase}","data":{"phase":"${phase}","turn_id":"${turnId}"`;
}

function sequenceOfMark(chunk: EventChunk, text: string): number | undefined {
  // A later part of a long event has no mark, whatever it says.
  const found = chunk.part?.begins === false ? -1 : indexOfMark(chunk.text, text);
  if (found === -1) return undefined;
  let sequence = chunk.first;
  for (let at = chunk.text.indexOf("\n"); at < found && at !== -1; at = chunk.text.indexOf("\n", at + 1)) sequence += 1;
  return sequence;
}

function indexOfMark(text: string, mark: string): number {
  for (let found = text.indexOf(mark); found !== -1; found = text.indexOf(mark, found + 1)) {
    const lineStart = text.lastIndexOf("\n", found) + 1;
    if (text.indexOf(',"type":"', lineStart) === found) return found;
  }
  return -1;
}
