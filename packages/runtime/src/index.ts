export { Access, type Authenticate, type Credentials, type NewSessionToken } from "./access/access.ts";
export { ApiKeys, type KeyRequest, type NewKey } from "./access/api-keys.ts";
export { AuditLog, type AuditOptions } from "./access/audit-log.ts";
export { type Action, actions, may, type OwnedSession, type Verdict } from "./access/may.ts";
export type { Principal, Scope } from "./access/principal.ts";
export { type QuotaOptions, Quotas } from "./access/quotas.ts";
export { resealSecrets } from "./access/reseal-secrets.ts";
export { SecretBox } from "./access/secret-box.ts";
export { type AgentArchitectureAdapter, getArchitectureParser } from "./architectures/architecture-parser.ts";
export { type DomainEvents, EventBus } from "./events/event-bus.ts";
export { type Gateway, type GatewayOptions, serveRuntime } from "./gateway/listen.ts";
export {
  type BuiltImage,
  type BuiltTemplate,
  buildImage,
  buildTemplate,
  type ImageBuildOptions,
  type ImageRecipe,
  imageFormat,
  providersWithImages,
  recipeFiles,
  type TemplateBuildOptions,
  writeImageContext,
} from "./images/index.ts";
export { type MetricsSource, RuntimeMetrics } from "./metrics/runtime-metrics.ts";
export * from "./persistence/persistence-adapter.ts";
export { type StorePersistenceOptions, storePersistence } from "./persistence/store-persistence.ts";
export { type AgentRuntime, type AgentRuntimeConfig, createAgentRuntime } from "./runtime.ts";
export { AgentSandbox } from "./sandboxes/agent-sandbox.ts";
export { createLocalProvider, type LocalProviderOptions } from "./sandboxes/local/local-provider.ts";
export {
  builtInProviders,
  loadProvider,
  openProvider,
  type ProviderDescription,
  type ProviderOptions,
} from "./sandboxes/registry.ts";
export * from "./sandboxes/sandbox-provider.ts";
export type { TranscriptData } from "./sandboxes/sandbox-transcripts.ts";
export { type PoolOptions, WarmSandboxes } from "./sandboxes/warm-sandboxes.ts";
export { AgentSession } from "./sessions/agent-session.ts";
export type { RuntimeLimits } from "./sessions/runtime-deps.ts";
export type { RuntimeSessionData, SessionListItem } from "./sessions/session-data.ts";
export { SessionManager } from "./sessions/session-manager.ts";
export type { SessionRequest } from "./sessions/session-request.ts";
export * from "./store/access-store.ts";
export type { LogLines } from "./store/log-lines.ts";
export { MemoryRuntimeStore } from "./store/memory/memory-runtime-store.ts";
export type { Quota } from "./store/quota.ts";
export * from "./store/runtime-store.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./store/sqlite/open-sqlite-store.ts";
