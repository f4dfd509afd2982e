import { emptyTranscript, foldEvents } from "@sandbox-agent-ts/protocol";
import { streamFromChoices } from "@sandbox-agent-ts/protocol/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Replay } from "./replay.ts";

test("wherever one steps, forth or back, the session is what it was then", () => {
  const anyLog = fc.array(fc.nat(), { minLength: 300, maxLength: 900, size: "max" }).map(streamFromChoices);
  fc.assert(
    fc.property(anyLog, fc.array(fc.nat(), { maxLength: 12 }), (events, steps) => {
      const replay = new Replay();
      for (const step of steps) {
        const sequence = step % (events.length + 1);
        expect(replay.at(events, sequence)).toEqual(foldEvents(emptyTranscript, events.slice(0, sequence)));
      }
    }),
    { numRuns: 20 },
  );
});
