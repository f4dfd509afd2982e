import { streamedText, type UniversalEvent } from "@sandbox-agent-ts/protocol";

const LONGEST = 160;

/** What an event says, in one line. */
export function eventSummary(event: UniversalEvent): string {
  return summaryOf(event).replace(/\s+/g, " ").trim().slice(0, LONGEST);
}

function summaryOf(event: UniversalEvent): string {
  switch (event.type) {
    case "session.started":
      return "";
    case "session.updated":
      return Object.keys(event.data.changes).join(", ");
    case "session.ended":
      return `${event.data.reason}, by the ${event.data.terminated_by}`;
    case "turn.started":
      return event.data.turn_id;
    case "turn.ended":
      return `${event.data.metadata.reason}${event.data.metadata.message ? `: ${event.data.metadata.message}` : ""}`;
    case "item.started":
    case "item.completed": {
      const { kind, role, content } = event.data.item;
      const call = content.find((part) => part.type === "tool_call");
      return `${role ?? kind} ${call?.name ?? ""} ${streamedText(event.data.item)}`;
    }
    case "item.delta":
      return event.data.delta;
    case "permission.requested":
    case "permission.resolved":
      return `${event.data.action}${"reply" in event.data && event.data.reply ? `: ${event.data.reply}` : ""}`;
    case "question.requested":
    case "question.resolved":
      return `${event.data.prompt}${"response" in event.data && event.data.response ? `: ${event.data.response}` : ""}`;
    case "error":
      return event.data.message;
    case "agent.unparsed":
      return `${event.data.error} (${event.data.location})`;
  }
}
