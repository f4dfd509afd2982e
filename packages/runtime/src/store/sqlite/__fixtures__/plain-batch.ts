import type { LogBatch } from "../../runtime-store.ts";

/** A batch of events with the given texts, for programs without a test runner; odd ones have a payload. */
export function plainBatch(first: number, texts: readonly string[]): LogBatch {
  const events = texts.map((text, index) => ({ sequence: first + index, data: { delta: text } }));
  const odd = events.filter(({ sequence }) => sequence % 2 === 1);
  return {
    first,
    count: texts.length,
    lines: [events.map((event) => `${JSON.stringify(event)}\n`).join("")],
    raw: odd.map(({ sequence }) => `{"sequence":${sequence},"raw":${payloadOf(sequence)}}\n`),
    at: Date.now(),
  };
}

export const payloadOf = (sequence: number): string => `{"native":"„${sequence}“"}`;
