import type { UniversalEvent } from "../universal-event.ts";
import { Choices } from "./choices.ts";
import { StreamWriter } from "./stream-writer.ts";
import { TurnWriter } from "./turn-writer.ts";

/**
 * The log of a session that keeps every rule of the stream and has in it whatever the numbers say: the same numbers give
 * the same log, fewer numbers a shorter one. With a property testing library, `array(nat()).map(streamFromChoices)` is
 * every valid stream, and shrinks well.
 */
export function streamFromChoices(numbers: readonly number[]): UniversalEvent[] {
  const choices = new Choices(numbers);
  const stream = new StreamWriter("session-1");
  stream.write("session.started", choices.of([{}, { metadata: { agent: "any" } }]), "daemon");
  const turn = new TurnWriter(stream, choices);
  while (!choices.exhausted) {
    switch (choices.below(6)) {
      case 0:
        stream.nativeSessionId = choices.of(["native-1", "native-2"]);
        break;
      case 1:
        stream.write("error", { message: "between turns", code: "stream_error" }, "daemon");
        break;
      case 2:
        turn.writeStatus();
        break;
      default:
        turn.write();
    }
  }
  endSession(stream, numbers.length % 3);
  return stream.events;
}

function endSession(stream: StreamWriter, way: number): void {
  switch (way) {
    case 1:
      stream.write("session.ended", { reason: "completed", terminated_by: "agent" });
      break;
    case 2:
      stream.write("session.ended", { reason: "error", terminated_by: "daemon", exit_code: 1 }, "daemon");
      break;
  }
}
