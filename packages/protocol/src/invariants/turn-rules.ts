import type { UniversalEvent } from "../universal-event.ts";
import type { RuleWatch } from "./rule.ts";

export function watchTurns(): RuleWatch {
  let running: string | null = null;
  let hasItem = false;
  return {
    push(event, _turnId, report) {
      switch (event.type) {
        case "turn.started":
          if (running !== null)
            report("one-turn-at-a-time", `${event.data.turn_id} starts while ${running} is running.`);
          running = event.data.turn_id;
          hasItem = false;
          break;
        case "turn.ended":
          if (event.data.turn_id !== running) {
            report("turn-ended-matches", `${event.data.turn_id} ends, and the running turn is ${running ?? "none"}.`);
          } else if (!hasItem) report("user-message-first", `${running} ends without the user's message.`);
          running = null;
          break;
        case "session.ended":
          if (running !== null) report("turn-ends", `The session ends while ${running} is running.`);
          running = null;
          break;
        case "item.started":
          if (running !== null && !hasItem && !isUserMessage(event)) {
            report("user-message-first", `${running} begins with the item ${event.data.item.item_id}.`);
          }
          hasItem = true;
          break;
      }
      if (running === null && needsTurn(event)) report("inside-a-turn", `${event.type} comes outside a turn.`);
    },
    end(report) {
      if (running !== null) report("turn-ends", `${running} never ends.`);
    },
  };
}

function isUserMessage(event: Extract<UniversalEvent, { type: "item.started" }>): boolean {
  return event.data.item.kind === "message" && event.data.item.role === "user";
}

/** A delta needs none of its own: what it belongs to does. */
function needsTurn(event: UniversalEvent): boolean {
  if (event.type === "item.started") return event.data.item.kind !== "status" && event.data.item.kind !== "system";
  return event.type === "permission.requested" || event.type === "question.requested";
}
