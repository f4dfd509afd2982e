import { type TranscriptDialect, transcriptDialects } from "@sandbox-agent-ts/agents/transcripts";
import { blocksOfTranscript, type ItemTold, SandboxError, type SessionBlocks } from "@sandbox-agent-ts/protocol";
import type { AGENT_ARCHITECTURE_TYPE, SubagentTranscript } from "../persistence/persistence-adapter.ts";
import { companionPath, linesOf, type Told, toldBy } from "../persistence/transcript-text.ts";

/**
 * What the runtime knows of a kind of agent without a sandbox. Whatever needs one (paths, profiles, setting transcripts up,
 * running a turn) is the daemon's inside of it, in the adapter of the agent.
 */
export interface AgentArchitectureAdapter {
  /** The id of the agent. */
  readonly type: AGENT_ARCHITECTURE_TYPE;
  /**
   * The agent's own files of a conversation, and of its subagents → the blocks that its log would have. The same files give
   * the same blocks, ids and times. What the runtime itself has given a `PersistenceAdapter` is read as well. What is torn or unknown is left out; never throws.
   */
  parseTranscripts(rawTranscript: string, subagents?: readonly SubagentTranscript[]): SessionBlocks;
}

/**
 * How to read the transcripts of a kind of agent: by the agent's id, or by that with what it is driven by behind it
 * (`…-sdk`, `…-agent-sdk`, `…-cli`). Throws `unsupported_agent` where no transcript of it can be read.
 */
export function getArchitectureParser(type: AGENT_ARCHITECTURE_TYPE): AgentArchitectureAdapter {
  const known = new Map(
    Object.entries(transcriptDialects as Record<string, TranscriptDialect>).flatMap(([id, { readTranscript }]) =>
      readTranscript ? [[id, readTranscript] as const] : [],
    ),
  );
  const name = type
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-");
  const id = known.has(name) ? name : name.replace(/-(agent-)?(sdk|cli)$/, "");
  const readTranscript = known.get(id);
  if (!readTranscript) {
    const names = [...known.keys()].join(", ");
    throw new SandboxError("unsupported_agent", `No transcripts of "${type}" can be read, only those of ${names}.`);
  }
  return {
    type: id,
    parseTranscripts: (rawTranscript, subagents = []) => {
      const isKeptAsEvents = [rawTranscript, ...subagents.map(({ transcript }) => transcript)].some(
        (text) => linesOf(text).length > 0,
      );
      if (isKeptAsEvents) return blocksOfTranscript(toldBy(id, rawTranscript, subagents).map(completed));
      const companions = subagents.map(({ id, transcript }) => ({ path: companionPath(id), text: transcript }));
      return blocksOfTranscript(readTranscript(rawTranscript, { companions }));
    },
  };
}

function completed({ item, time }: Told): ItemTold {
  return { type: "item.completed", data: { item }, time } as ItemTold;
}
