import { type SessionBlocks, UniversalEvent } from "@sandbox-agent-ts/protocol";
import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { UntrustedSandbox } from "../mirror/event-reader.ts";
import type { SubagentTranscript } from "../persistence/persistence-adapter.ts";
import { transcriptsOf } from "../persistence/transcript-text.ts";
import { conversationIn } from "../sessions/conversation.ts";
import { blocksOfLog } from "../sessions/session-blocks.ts";

const pageSize = 1_000;

/** A conversation as it is kept, and beside it what each subagent did. */
export interface TranscriptData {
  readonly rawTranscript: string;
  readonly subagents: readonly SubagentTranscript[];
}

/** In the agent's own form, or as events where it has none. */
export async function readTranscripts(client: SandboxAgent, sessionId: string): Promise<TranscriptData> {
  const { agent, directory = "" } = await client.getSession(sessionId);
  const events = await conversationIn(loggedEvents(client, sessionId));
  const { main, subagents } = transcriptsOf({ sessionId, agent, directory: directory ?? "" }, events);
  return { rawTranscript: main, subagents };
}

export async function parseTranscripts(client: SandboxAgent, sessionId: string): Promise<SessionBlocks> {
  const { blocks, subagents } = await blocksOfLog(loggedEvents(client, sessionId));
  return { blocks, subagents };
}

/** Events as lines, those that were logged together at once: first what was, then what comes. */
export async function* streamTranscriptChanges(
  client: SandboxAgent,
  sessionId: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  for await (const events of client.streamEventLines(sessionId, {}, signal && { signal })) {
    yield events.map(({ lines }) => lines).join("");
  }
}

async function* loggedEvents(client: SandboxAgent, sessionId: string): AsyncGenerator<UniversalEvent, void, void> {
  for (let offset = 0, isMore = true; isMore; ) {
    const { events, hasMore } = await client.getEvents(sessionId, { offset, limit: pageSize });
    isMore = hasMore && events.length > 0;
    for (const each of events) {
      const { data: event } = UniversalEvent.safeParse(each);
      if (!event || event.sequence <= offset)
        throw new UntrustedSandbox("The sandbox sent an event that is not valid.");
      offset = event.sequence;
      yield event;
    }
  }
}
