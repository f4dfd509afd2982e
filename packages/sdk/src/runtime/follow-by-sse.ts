import {
  type BlockChange,
  ConversationBlocks,
  type SessionMessage,
  SessionProjection,
} from "@sandbox-agent-ts/protocol";
import type { SandboxAgent } from "../client.ts";
import type { FollowSessionOptions, RuntimeEvent } from "./runtime-event.ts";

/** The same events as over Socket.IO, made here from the session's log. */
export async function* followBySse(
  client: SandboxAgent,
  sessionId: string,
  { after, signal }: FollowSessionOptions,
): AsyncGenerator<RuntimeEvent, void, undefined> {
  const { eventCount, runtime } = await client.getSession(sessionId);
  const projection = new SessionProjection(sessionId);
  const blocks = new ConversationBlocks();
  let runningTurnId: string | null = null;
  const state = (): RuntimeEvent => ({
    name: "session:state",
    data: { sessionId, cursor: projection.sequence, runtime: runtime ?? null, state: blocks.result(), runningTurnId },
  });
  if (after === undefined && eventCount === 0) yield state();
  for await (const event of client.streamEvents(sessionId, {}, { signal })) {
    const messages = projection.apply(event);
    if (after !== undefined) yield* messages.filter(({ data }) => data.cursor > after);
    else if (event.sequence > eventCount) yield* messages;
    else {
      for (const message of messages) applyTo(blocks, message);
      if (event.type === "turn.started") runningTurnId = event.data.turn_id;
      if (event.type === "turn.ended") runningTurnId = null;
      if (event.sequence === eventCount) yield state();
    }
  }
}

function applyTo(blocks: ConversationBlocks, { name, data }: SessionMessage): void {
  const [, subject, type] = name.split(":");
  if (subject === "block") blocks.apply({ ...data, type } as unknown as BlockChange);
}
