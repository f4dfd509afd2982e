import { z } from "zod";
import {
  AgentUnparsedData,
  ErrorData,
  ItemDeltaData,
  ItemEventData,
  PermissionRequestedData,
  PermissionResolvedData,
  QuestionRequestedData,
  QuestionResolvedData,
  SessionEndedData,
  SessionStartedData,
  SessionUpdatedData,
  TurnEndedData,
  TurnStartedData,
} from "./event-data.ts";

export const EventSource = z.enum(["agent", "daemon"]).meta({ id: "EventSource" });
export type EventSource = z.infer<typeof EventSource>;

const envelope = {
  event_id: z.string(),
  sequence: z.int().positive().describe("1, 2, 3 … within the session, without gaps"),
  time: z.iso.datetime(),
  session_id: z.string(),
  native_session_id: z.string().nullable(),
  source: EventSource,
  synthetic: z.boolean().describe("Made by the daemon because the agent has no such event"),
  raw: z.unknown().optional().describe("The agent's own payload; only with includeRaw=true"),
};

const event = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.object({ ...envelope, type: z.literal(type), data }).meta({ id: schemaName(type) });

/** `item.started` → `ItemStartedEvent` */
function schemaName(type: string): string {
  const words = type.split(".").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

export const UniversalEvent = z
  .discriminatedUnion("type", [
    event("session.started", SessionStartedData),
    event("session.updated", SessionUpdatedData),
    event("session.ended", SessionEndedData),
    event("turn.started", TurnStartedData),
    event("turn.ended", TurnEndedData),
    event("item.started", ItemEventData),
    event("item.delta", ItemDeltaData),
    event("item.completed", ItemEventData),
    event("permission.requested", PermissionRequestedData),
    event("permission.resolved", PermissionResolvedData),
    event("question.requested", QuestionRequestedData),
    event("question.resolved", QuestionResolvedData),
    event("error", ErrorData),
    event("agent.unparsed", AgentUnparsedData),
  ])
  .meta({ id: "UniversalEvent", description: "A numbered entry of a session's log" });
export type UniversalEvent = z.infer<typeof UniversalEvent>;

export type EventType = UniversalEvent["type"];
export type EventOf<T extends EventType> = Extract<UniversalEvent, { type: T }>;

/** What an event says, without its envelope. */
export type EventPayload = { [T in EventType]: { type: T; data: EventOf<T>["data"] } }[EventType];

/**
 * An event before the log has numbered it: what an agent or the daemon says happened. `raw` is the agent's own payload
 * as JSON text.
 */
export type EventDraft = EventPayload & { source: EventSource; synthetic: boolean; raw?: string };
