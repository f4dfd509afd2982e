import fc from "fast-check";
import { expect, test } from "vitest";
import { streamFromChoices } from "../testing/index.ts";
import { StreamWriter } from "../testing/stream-writer.ts";
import type { UniversalEvent } from "../universal-event.ts";
import { addUsage, applyToSession, createSessionState, type SessionState, sessionStatus } from "./session-state.ts";
import { emptyTranscript, foldEvents } from "./transcript.ts";

const anyStart = fc
  .tuple(fc.array(fc.nat(), { maxLength: 300, size: "max" }).map(streamFromChoices), fc.nat())
  .map(([events, length]) => events.slice(0, length % (events.length + 1)));

test("wherever a stream stops, the state and the transcript tell the same", () => {
  fc.assert(
    fc.property(anyStart, (events) => {
      const { openItems, openText: _, ...summary } = stateOf(events);
      const transcript = foldEvents(emptyTranscript, events);
      expect(transcript.session).toEqual(summary);
      const texts = Object.entries(openItems).map(([itemId, { deltas }]) => [itemId, deltas.join("")]);
      expect(Object.entries(transcript.writing).map(([itemId, { text }]) => [itemId, text])).toEqual(texts);
    }),
  );
});

test("when nothing is under way, nothing of the log's length is left", () => {
  fc.assert(
    fc.property(anyStart, (events) => {
      const state = stateOf(events);
      fc.pre(state.turnId === null);
      expect(state).toMatchObject({ openItems: {}, permissions: {}, questions: {} });
    }),
  );
});

test("the status follows the turn, its requests and the end", () => {
  const stream = new StreamWriter("s");
  const state = createSessionState();
  const statusAfter = () => {
    applyToSession(state, stream.events.at(-1)!);
    return sessionStatus(state);
  };
  const question = { question_id: "q", prompt: "Which?", options: ["a"] };
  expect(sessionStatus(state)).toBe("idle");
  stream.write("turn.started", { phase: "started", turn_id: "t" });
  expect(statusAfter()).toBe("running");
  stream.write("question.requested", { ...question, status: "requested" });
  expect(statusAfter()).toBe("waiting");
  stream.write("question.resolved", { ...question, status: "rejected" });
  expect(statusAfter()).toBe("running");
  stream.write("turn.ended", { phase: "ended", turn_id: "t", metadata: { reason: "completed" } });
  expect(statusAfter()).toBe("idle");
  stream.write("session.ended", { reason: "completed", terminated_by: "agent" });
  expect(statusAfter()).toBe("ended");
});

test("usage adds up field by field", () => {
  const first = addUsage(null, { input_tokens: 1, output_tokens: 2, reasoning_tokens: 3 });
  expect(addUsage(first, { input_tokens: 10, output_tokens: 20, cached_input_tokens: 5 })).toEqual({
    input_tokens: 11,
    output_tokens: 22,
    reasoning_tokens: 3,
    cached_input_tokens: 5,
  });
});

test("costs of turns add up without the noise of binary fractions, and changes of settings are kept", () => {
  const stream = new StreamWriter("s");
  const cost = (amount: number) => ({ reason: "completed", cost: { amount, currency: "USD" } }) as const;
  for (const amount of [0.1, 0.2]) {
    stream.write("turn.started", { phase: "started", turn_id: "t" });
    stream.write("turn.ended", { phase: "ended", turn_id: "t", metadata: cost(amount) });
  }
  stream.write("session.updated", { changes: { model: "a", permission_mode: "plan" } });
  stream.write("session.updated", { changes: { model: null } });
  expect(stateOf(stream.events)).toMatchObject({
    cost: { amount: 0.3, currency: "USD" },
    changes: { model: null, permission_mode: "plan" },
  });
  foldEvents(emptyTranscript, stream.events);
  expect(emptyTranscript.session.changes).toEqual({});
});

function stateOf(events: readonly UniversalEvent[]): SessionState {
  const state = createSessionState();
  for (const event of events) applyToSession(state, event);
  return state;
}
