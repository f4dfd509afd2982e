import type { EventChunk, SessionLog, TurnRecord } from "@sandbox-agent-ts/store";

/**
 * Exactly the events of one turn, from `turn.started` to `turn.ended`, wherever in the log it happens or happened. The
 * marks are looked for as text: inside of a JSON string the quotes would be escaped, so they match nothing else.
 */
export async function* turnChunks(
  log: SessionLog,
  turn: TurnRecord,
  options: { signal: AbortSignal; raw: boolean },
): AsyncGenerator<EventChunk, void, void> {
  const started = mark(turn.turnId, "started");
  const ended = mark(turn.turnId, "ended");
  let inside = false;
  for await (const chunk of log.follow(turn.after, options)) {
    const from = inside ? chunk.first : (sequenceOfMark(chunk, started) ?? sequenceOfMark(chunk, sessionEnded));
    if (from === undefined) continue;
    inside = true;
    const through = sequenceOfMark(chunk, ended);
    yield chunk.between(from - 1, through ?? chunk.last);
    if (through !== undefined) return;
  }
}

/** A session that ends before the turn could begin. */
const sessionEnded = '"type":"session.ended","data":{"reason":';

function mark(turnId: string, phase: "started" | "ended"): string {
  return `"type":"turn.${phase}","data":{"phase":"${phase}","turn_id":"${turnId}"`;
}

function sequenceOfMark(chunk: EventChunk, text: string): number | undefined {
  const found = chunk.text.indexOf(text);
  if (found === -1) return undefined;
  let sequence = chunk.first;
  for (let at = chunk.text.indexOf("\n"); at < found && at !== -1; at = chunk.text.indexOf("\n", at + 1)) sequence += 1;
  return sequence;
}
