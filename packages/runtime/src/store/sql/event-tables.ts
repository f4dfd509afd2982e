import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { EventBatch } from "@sandbox-agent-ts/store";
import { keepLines, type LogTable } from "./lines.ts";
import type { Steps } from "./steps.ts";

/** Events are numbered without a gap. */
export const events: LogTable = {
  name: "events",
  sequenceOf: (_lines, _start, first, index) => first + index,
};

export const payloads: LogTable = {
  name: "payloads",
  sequenceOf: (lines, start) => Number(/^\{"sequence":(\d+),/.exec(lines.toString("latin1", start, start + 40))?.[1]),
};

export function* keepBatch(session: number, { first, count, lines, raw }: EventBatch): Steps<void> {
  const kept = yield* keepLines(events, session, first, lines);
  if (kept !== count) throw new SandboxError("internal_error", `A batch of ${count} events has ${kept} lines.`);
  yield* keepLines(payloads, session, first, raw);
}
