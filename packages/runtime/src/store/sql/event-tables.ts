import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { LogLines } from "../log-lines.ts";
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

export function* keepBatch(session: number, { first, count, lines, raw }: LogLines): Steps<void> {
  let kept = 0;
  for (const text of lines) kept += yield* keepLines(events, session, first + kept, text);
  if (kept !== count) throw new SandboxError("internal_error", `A batch of ${count} events has ${kept} lines.`);
  for (const text of raw) yield* keepLines(payloads, session, first, text);
}
