import type { EventDraft, EventOf, EventType } from "@sandbox-agent-ts/protocol";

/** One thing that happened, as the agent's own event; `details` go into its raw form, a small JSON line. */
export function mockDraft<T extends EventType>(type: T, data: EventOf<T>["data"], details: object = {}): EventDraft {
  const raw = JSON.stringify({ step: type, ...details });
  return { type, data, source: "agent", synthetic: false, raw } as EventDraft;
}
