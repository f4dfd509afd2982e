import type { AgentLogger } from "@sandbox-agent-ts/agents";
import type { HealthResponse } from "@sandbox-agent-ts/protocol";
import type { Agents } from "../agents/agents.ts";
import type { DaemonOptions } from "../daemon-options.ts";
import type { FileAccess } from "../files/file-access.ts";
import type { Sessions } from "../sessions/sessions.ts";

/** What the routes serve. */
export interface HttpContext {
  readonly version: string;
  readonly health: () => HealthResponse;
  readonly log: AgentLogger;
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly files: FileAccess;
  readonly ui: DaemonOptions["ui"];
  /** Aborted when the daemon stops: streams end then. */
  readonly closing: AbortSignal;
}

/** The largest JSON body. */
export const maxJsonBytes = 16 * 1024 * 1024;
/** The largest message: its attachments may be in it. */
export const maxMessageBytes = 48 * 1024 * 1024;
