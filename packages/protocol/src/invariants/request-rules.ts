import type { UniversalEvent } from "../universal-event.ts";
import type { Report, RuleWatch } from "./rule.ts";

/** What the agent asks a person: once asked, once resolved, before the turn ends. */
export function watchRequests(): RuleWatch {
  const known = new Set<string>();
  const open = new Set<string>();
  /** Not resolved in time: reported once, then forgiven. */
  const abandoned = new Set<string>();

  function request(name: string, report: Report): void {
    if (known.has(name)) report("request-once", `The ${name} is requested again.`);
    known.add(name);
    open.add(name);
  }

  function resolve(name: string, report: Report): void {
    if (!known.has(name)) report("resolved-follows-requested", `The ${name} is resolved and was never requested.`);
    else if (!open.has(name) && !abandoned.has(name)) report("resolved-once", `The ${name} is resolved again.`);
    open.delete(name);
  }

  function endTurn(report: Report): void {
    for (const name of open) {
      report("resolved-in-its-turn", `The ${name} is not resolved when its turn ends.`);
      abandoned.add(name);
    }
    open.clear();
  }

  return {
    push(event, _turnId, report) {
      const name = requestName(event);
      if (name === undefined) {
        if (event.type === "turn.ended") endTurn(report);
      } else if (event.type.endsWith(".requested")) request(name, report);
      else if (!isDecidedUnasked(event)) resolve(name, report);
    },
    end: endTurn,
  };
}

/** What a policy or an earlier `always` decides is never asked: only its resolution is in the log. */
function isDecidedUnasked(event: UniversalEvent): boolean {
  if (event.type !== "permission.resolved") return false;
  return event.data.resolved_by === "policy" || event.data.resolved_by === "remembered";
}

function requestName(event: UniversalEvent): string | undefined {
  switch (event.type) {
    case "permission.requested":
    case "permission.resolved":
      return `permission ${event.data.permission_id}`;
    case "question.requested":
    case "question.resolved":
      return `question ${event.data.question_id}`;
  }
}
