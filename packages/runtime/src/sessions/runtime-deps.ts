import type { Logger } from "@sandbox-agent-ts/server";
import type { Quotas } from "../access/quotas.ts";
import type { SecretBox } from "../access/secret-box.ts";
import type { AgentCatalog } from "../agents/agent-catalog.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { RuntimeMetrics } from "../metrics/runtime-metrics.ts";
import type { SessionPersistence } from "../persistence/session-persistence.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { ProviderLimits } from "../sandboxes/bounded-provider.ts";
import type { SandboxProvider } from "../sandboxes/sandbox-provider.ts";
import type { WarmSandboxes } from "../sandboxes/warm-sandboxes.ts";
import type { RuntimeStore } from "../store/runtime-store.ts";
import type { SessionLogs } from "./session-logs.ts";

/** What sessions are made with. */
export interface RuntimeDeps {
  /** This process, as the owner of leases. */
  readonly owner: string;
  readonly store: RuntimeStore;
  readonly provider: SandboxProvider;
  readonly secrets: SecretBox;
  readonly catalog: AgentCatalog;
  readonly bus: EventBus;
  readonly logs: SessionLogs;
  readonly log: Logger;
  readonly metrics: RuntimeMetrics;
  readonly bundle: string;
  /** What sandboxes, and so their agents, find in their environment. */
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly limits: RuntimeLimits;
  readonly quotas: Quotas;
  readonly warm: WarmSandboxes;
  readonly profiles: Profiles;
  /** The application's own storage, where it has brought one. */
  readonly persistence?: SessionPersistence | undefined;
}

export interface RuntimeLimits extends ProviderLimits {
  /** A lease that is not renewed for so long may be claimed by another process. */
  readonly leaseMs: number;
  /** How long the daemon of a new sandbox may take to answer. */
  readonly startTimeoutMs: number;
  /** Between two looks at a sandbox that does not answer. */
  readonly healthIntervalMs: number;
  /** After so many looks without an answer its daemon is started again. */
  readonly healthMisses: number;
  /** How often the daemon of one sandbox is started again before the sandbox is given up. */
  readonly maxRestarts: number;
  /** A sandbox of which its provider says nothing for so long is given up, with what runs in it. */
  readonly providerOutageMs: number;
  /** A sandbox in which nothing happened for so long is suspended, or ended where it cannot be. */
  readonly idleTimeoutMs: number;
  /**
   * How long a sandbox lives that nobody extends, where its service can tell: at least twice as long as it may be idle, so that
   * it is suspended before. It is extended while a turn runs in it.
   */
  readonly sandboxLifeMs: number;
  /** A session in which nothing happened for so long leaves the memory. */
  readonly unloadAfterMs: number;
  /** Messages of one session that may wait. */
  readonly maxOpenTurns: number;
  /** Characters of events that a sandbox may send for one message; one that sends more is ended. */
  readonly maxTurnChars: number;
  /** Between two looks for sandboxes that nobody owns. */
  readonly reapIntervalMs: number;
  /** A sandbox that is younger may be one that the store does not know yet: as long as `createTimeoutMs`. */
  readonly reapGraceMs: number;
}

export const defaultLimits: RuntimeLimits = {
  leaseMs: 15_000,
  startTimeoutMs: 30_000,
  healthIntervalMs: 500,
  healthMisses: 4,
  maxRestarts: 3,
  providerTimeoutMs: 60_000,
  createTimeoutMs: 10 * 60_000,
  providerOutageMs: 10 * 60_000,
  idleTimeoutMs: 15 * 60_000,
  sandboxLifeMs: 45 * 60_000,
  unloadAfterMs: 30 * 60_000,
  maxOpenTurns: 100,
  maxTurnChars: 1024 * 1024 * 1024,
  reapIntervalMs: 60_000,
  reapGraceMs: 10 * 60_000,
};

/** A sandbox that is idle is to be suspended before the end of its life. */
export function withLifeThatIsLongEnough(limits: RuntimeLimits): RuntimeLimits {
  return { ...limits, sandboxLifeMs: Math.max(limits.sandboxLifeMs, 2 * limits.idleTimeoutMs) };
}
