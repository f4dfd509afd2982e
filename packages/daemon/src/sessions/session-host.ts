import type { AgentAdapter, AgentHost, AgentLogger } from "@sandbox-agent-ts/agents";
import type { SessionChange } from "@sandbox-agent-ts/server";
import type { EventStore } from "@sandbox-agent-ts/store";
import type { Snapshots } from "../changes/snapshots.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { OpenText } from "./open-text.ts";

/** What a session needs of the house it lives in. */
export interface SessionHost {
  readonly store: EventStore;
  readonly log: AgentLogger;
  /** How long an agent may take to stop by itself before its process is ended. */
  readonly interruptLimitMs: number;
  /** Between attempts to write to a disk that took nothing. */
  readonly retryWriteMs: number;
  /** After so many events a checkpoint is kept also in the middle of a turn. */
  readonly checkpointEvents: number;
  /** What the open items of all sessions hold. */
  readonly openText: OpenText;
  /** What is taken out of everything that is recorded. */
  readonly secrets: Secrets;
  /** What directories looked like; absent where that is not kept. */
  readonly snapshots: Snapshots | undefined;
  /** Why the daemon before this one ended, in a sentence. */
  readonly restartReason: string | undefined;
  /**
   * The adapter and its world, with this version of its program, which is installed again when it is gone; rejects with
   * `unsupported_agent` for an agent this daemon does not have.
   */
  agent(id: string, version: string | undefined): Promise<{ adapter: AgentAdapter; agentHost: AgentHost }>;
  /** What `SessionInfo` says of this session is no longer the same. */
  changed(sessionId: string, change: SessionChange): void;
}
