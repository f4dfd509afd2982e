import type { ItemTold, UniversalEvent, UniversalItem } from "@sandbox-agent-ts/protocol";

/**
 * How one agent keeps its conversations: by convention `agents/<id>/transcript.ts` exports `readTranscript` and
 * `parseTranscript`, and `agents/<id>/write-transcript.ts` exports `writeTranscript`, where the agent can be read and told so. `npm run gen`
 * collects them.
 *
 * Both are pure and run in browsers: no `node:` imports, no `Buffer`, no `process`, in whatever they import.
 */
export interface TranscriptDialect {
  /**
   * The text of a conversation's own file → what its stream told of items, in that order and with the times that the file
   * has: the blocks of it are those of the stream (`blocksOfTranscript`). The same text gives the same ids and times. Never
   * throws.
   */
  readTranscript?(text: string, options?: ParseOptions): ItemTold[];
  /**
   * The text of a conversation's own file → the items that its stream told, the user's messages among them. What is
   * torn or unknown is left out; never throws.
   */
  parseTranscript?(text: string, options?: ParseOptions): UniversalItem[];
  /** A conversation that happened elsewhere, with any agent → a file with which this agent goes on with it. */
  writeTranscript?(events: readonly UniversalEvent[], about: TranscriptAbout): TranscriptFile;
}

export interface ParseOptions {
  readonly itemPrefix?: string;
  /** Where images are said to lie that exist only inside of the transcript. */
  readonly imagesDir?: string;
  /** What lies beside the conversation's own file, e.g. what its subagents did. */
  readonly companions?: readonly TranscriptFile[];
}

export interface TranscriptFile {
  /** Under the directory in which the agent keeps its things. */
  readonly path: string;
  readonly text: string;
}

export interface TranscriptAbout {
  /** The id to go on with it by. */
  readonly nativeSessionId: string;
  readonly directory: string;
  /** RFC 3339, in UTC. */
  readonly time: string;
  /** A fresh UUID with each call. */
  nextUuid(): string;
}
