import type { RuleWatch } from "./rule.ts";

export function watchSession(): RuleWatch {
  let isFirst = true;
  let started = false;
  let ended = false;
  return {
    push(event, _turnId, report) {
      if (isFirst && event.type !== "session.started") report("session-started-first", `${event.type} comes first.`);
      if (event.type === "session.started" && started) report("session-started-once", "session.started comes again.");
      if (ended) report("session-ended-last", `${event.type} follows session.ended.`);
      isFirst = false;
      started ||= event.type === "session.started";
      ended ||= event.type === "session.ended";
    },
  };
}
