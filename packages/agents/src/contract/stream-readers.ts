import type { ContentPart, EventOf, EventType, UniversalEvent, UniversalItem } from "@sandbox-agent-ts/protocol";
import { liveOutputLabel } from "../drafts/live-output.ts";

type Events = readonly UniversalEvent[];
export type PartOf<T extends ContentPart["type"]> = Extract<ContentPart, { type: T }>;

export function eventsOf<T extends EventType>(events: Events, type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/** The items as they were when they were completed. */
export function completedItems(events: Events): UniversalItem[] {
  return eventsOf(events, "item.completed").map(({ data }) => data.item);
}

/** Without what was shown of a command while it ran: whether a piece comes before its result is chance. */
export function lastingItems(events: Events): UniversalItem[] {
  const isLive = ([first]: readonly ContentPart[]) => first?.type === "status" && first.label === liveOutputLabel;
  return completedItems(events).filter(({ content }) => !isLive(content));
}

export function partsOf<T extends ContentPart["type"]>(events: Events, type: T): PartOf<T>[] {
  const parts = completedItems(events).flatMap((item) => item.content);
  return parts.filter((part): part is PartOf<T> => part.type === type);
}

/** What the assistant said, all its messages of the turn together. */
export function assistantText(events: Events): string {
  const parts = completedItems(events).flatMap((item) => (item.role === "assistant" ? item.content : []));
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

/** The outputs of tools whose calls are there too. */
export function toolOutputs(events: Events): string[] {
  const calls = new Set(partsOf(events, "tool_call").map((part) => part.call_id));
  return partsOf(events, "tool_result")
    .filter((part) => calls.has(part.call_id))
    .map((part) => part.output);
}

/** The pieces in which the agent itself streamed. */
export function agentDeltas(events: Events): string[] {
  return eventsOf(events, "item.delta")
    .filter(({ source }) => source === "agent")
    .map(({ data }) => data.delta);
}
