import {
  applyToBlocks,
  type ConversationBlock,
  ConversationBlocks,
  createBlockState,
  type UniversalEvent,
} from "@sandbox-agent-ts/protocol";
import { getArchitectureParser } from "../architectures/architecture-parser.ts";
import type { RuntimeStore, StoredSession } from "../store/runtime-store.ts";
import type { RuntimeSessionData } from "./session-data.ts";

/** Characters of text, and 512 for each block: more than this of a session's blocks is never in memory at a time. */
const maxBlocksSize = 32 * 1024 * 1024;

type Blocks = Pick<RuntimeSessionData, "blocks" | "subagents" | "omittedBlocks">;

/** Of its log, or of the agent's own transcript where the log has no conversation. */
export async function blocksOfSession(
  store: RuntimeStore,
  { sessionId, agent }: StoredSession,
  events: AsyncIterable<UniversalEvent>,
): Promise<Blocks> {
  const ofLog = await blocksOfLog(events);
  if (ofLog.blocks.length > 0) return ofLog;
  const transcripts = await store.transcripts(sessionId);
  const main = transcripts.find(({ subagentId }) => subagentId === null);
  if (!main) return ofLog;
  const subagents = transcripts.flatMap(({ subagentId, text }) =>
    subagentId === null ? [] : [{ id: subagentId, transcript: text }],
  );
  return ownCopies(getArchitectureParser(agent).parseTranscripts(main.text, subagents));
}

/** The blocks of a log, made while it is read: only the newest are held. */
export async function blocksOfLog(events: AsyncIterable<UniversalEvent>, maxSize = maxBlocksSize): Promise<Blocks> {
  const state = createBlockState();
  const blocks = new ConversationBlocks({ maxSize });
  for await (const event of events) for (const change of applyToBlocks(state, event)) blocks.apply(change);
  const { dropped } = blocks;
  return { ...ownCopies(blocks.result()), ...(dropped > 0 ? { omittedBlocks: dropped } : {}) };
}

/** With lists that belong to whoever asked. */
function ownCopies({ blocks, subagents }: ReturnType<ConversationBlocks["result"]>): Blocks {
  const copy = (list: readonly ConversationBlock[]) => [...list];
  return { blocks: copy(blocks), subagents: subagents.map(({ id, blocks }) => ({ id, blocks: copy(blocks) })) };
}
