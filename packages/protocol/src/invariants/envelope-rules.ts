import type { RuleWatch } from "./rule.ts";

export function watchEnvelopes(): RuleWatch {
  const eventIds = new Set<string>();
  let sessionId: string | undefined;
  let next = 1;
  return {
    push(event, _turnId, report) {
      if (event.sequence !== next) report("sequence", `The event's sequence is ${event.sequence} instead of ${next}.`);
      next = event.sequence + 1;

      if (eventIds.has(event.event_id)) report("event-id", `The event_id ${event.event_id} was used before.`);
      eventIds.add(event.event_id);

      sessionId ??= event.session_id;
      if (event.session_id !== sessionId) {
        report("one-session", `The event is of session ${event.session_id} in a stream of ${sessionId}.`);
      }

      if (event.synthetic !== (event.source === "daemon")) {
        report("synthetic", `The event has source ${event.source} and synthetic ${event.synthetic}.`);
      }
    },
  };
}
