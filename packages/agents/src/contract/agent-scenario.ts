import type { MessageAttachment } from "@sandbox-agent/protocol";
import type { AgentHost, SessionConfig } from "../agent.ts";
import type { FeatureName } from "./features.ts";

/** How to make one agent show what it can do. Every agent's contract test is this object and one call. */
export interface AgentScenario {
  /** A message for every feature; for a feature the agent does not have, the reason, which then stands in the test's title. */
  readonly provoke: Readonly<Record<FeatureName, Provocation>>;
  /** What the agent needs around it, e.g. a scripted model service. Called anew for every session that is opened. */
  prepare?(): Promise<PreparedWorld>;
}

export type Provocation = ProvokingMessage | { readonly skip: string };

export interface ProvokingMessage {
  readonly message: string;
  readonly attachments?: readonly MessageAttachment[];
  /** Where the agent shows this only in a session of a certain kind. */
  readonly session?: Partial<SessionConfig>;
  /** A piece of text that the assistant's messages must contain. */
  readonly replies?: string;
}

export interface PreparedWorld {
  readonly host?: Partial<AgentHost>;
  readonly session?: Partial<SessionConfig>;
  dispose?(): Promise<void>;
}
