import type { UniversalEvent } from "../universal-event.ts";
import { watchEnvelopes } from "./envelope-rules.ts";
import { watchItemLinks } from "./item-link-rules.ts";
import { watchItems } from "./item-rules.ts";
import { watchRequests } from "./request-rules.ts";
import type { Report, StreamRuleName } from "./rule.ts";
import { watchSession } from "./session-rules.ts";
import { watchTurns } from "./turn-rules.ts";

/** One break of one rule. */
export interface Violation {
  /** The event at which it shows; the last one for what is missing at the end. */
  readonly sequence: number;
  readonly rule: StreamRuleName;
  readonly message: string;
}

export interface StreamChecker {
  /** What the next event breaks. */
  push(event: UniversalEvent): Violation[];
  /** What is broken if no event follows: what was begun and never ended. */
  end(): Violation[];
}

/** The rules that `event` streams of every agent keep, held against a whole session from its first event to its last. */
export function checkStream(events: Iterable<UniversalEvent>): Violation[] {
  const checker = createStreamChecker();
  const violations: Violation[] = [];
  for (const event of events) violations.push(...checker.push(event));
  return [...violations, ...checker.end()];
}

/** The same for a stream that is still going on. */
export function createStreamChecker(): StreamChecker {
  const watches = [watchEnvelopes(), watchSession(), watchTurns(), watchItems(), watchItemLinks(), watchRequests()];
  let turnId: string | null = null;
  let sequence = 0;
  return {
    push(event) {
      sequence = event.sequence;
      if (event.type === "turn.started") turnId = event.data.turn_id;
      const violations = collect(sequence, (report) => {
        for (const watch of watches) watch.push(event, turnId, report);
      });
      if (event.type === "turn.ended") turnId = null;
      return violations;
    },
    end: () =>
      collect(sequence, (report) => {
        for (const watch of watches) watch.end?.(report);
      }),
  };
}

function collect(sequence: number, check: (report: Report) => void): Violation[] {
  const violations: Violation[] = [];
  check((rule, message) => violations.push({ sequence, rule, message }));
  return violations;
}
